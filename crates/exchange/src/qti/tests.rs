//! Items and their package.

use super::*;
use std::io::Read;
use warpup_course as course;
use warpup_store::course::embedded;

fn of_course(course: &Course) -> (Vec<(String, String)>, Remarks) {
    let quizzes: Vec<&Quiz> = course
        .lessons
        .iter()
        .filter_map(|it| it.quiz.as_ref())
        .collect();
    let mut remarks = Remarks::default();
    (files(course, &quizzes, &mut remarks), remarks)
}

#[test]
#[expect(clippy::too_many_lines, reason = "most lines are the items")]
fn an_item_has_its_question_its_scoring_and_its_feedback() {
    let (files, _) = of_course(&course::sample::course());
    let item = |name: &str| &files.iter().find(|it| it.0.ends_with(name)).unwrap().1;
    insta::assert_snapshot!(item("places/q-place.xml"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd" identifier="places.q-place" title="q-place: Where does y live?" adaptive="false" timeDependent="false" toolName="warpup" toolVersion="0.1.0">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>card</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>1</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="FEEDBACK" cardinality="multiple" baseType="identifier"/>
    <itemBody>
    <p>Where does <code>y</code> live?</p>
    <choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
    <simpleChoice identifier="host">the host</simpleChoice>
    <simpleChoice identifier="card">the card</simpleChoice>
    </choiceInteraction>
    </itemBody>
    <responseProcessing>
    <responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>
    <setOutcomeValue identifier="FEEDBACK"><multiple><variable identifier="RESPONSE"/><baseValue baseType="identifier">EXPLAIN</baseValue></multiple></setOutcomeValue>
    </responseProcessing>
    <modalFeedback outcomeIdentifier="FEEDBACK" identifier="host" showHide="show">
    <p>Not host.</p>
    </modalFeedback>
    <modalFeedback outcomeIdentifier="FEEDBACK" identifier="EXPLAIN" showHide="show">
    <p>Because it is so.</p>

    </modalFeedback>
    </assessmentItem>
    "#);
    insta::assert_snapshot!(item("places/q-bytes.xml"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd" identifier="places.q-bytes" title="q-bytes: How many bytes are six float32?" adaptive="false" timeDependent="false" toolName="warpup" toolVersion="0.1.0">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="float"><correctResponse><value>24</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>1</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="FEEDBACK" cardinality="multiple" baseType="identifier"/>
    <itemBody>
    <p>How many bytes are six float32?</p>
    <p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="12"/> B</p>
    </itemBody>
    <responseProcessing>
    <responseCondition>
    <responseIf><equal toleranceMode="exact"><variable identifier="RESPONSE"/><baseValue baseType="float">24</baseValue></equal><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue><setOutcomeValue identifier="FEEDBACK"><multiple><baseValue baseType="identifier">EXPLAIN</baseValue></multiple></setOutcomeValue></responseIf>
    <responseElse><setOutcomeValue identifier="FEEDBACK"><multiple><baseValue baseType="identifier">EXPLAIN</baseValue></multiple></setOutcomeValue></responseElse>
    </responseCondition>
    </responseProcessing>
    <modalFeedback outcomeIdentifier="FEEDBACK" identifier="EXPLAIN" showHide="show">
    <p>Because it is so.</p>

    </modalFeedback>
    </assessmentItem>
    "#);
    insta::assert_snapshot!(item("places/q-pairs.xml"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd" identifier="places.q-pairs" title="q-pairs: Which belongs to which?" adaptive="false" timeDependent="false" toolName="warpup" toolVersion="0.1.0">
    <responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="directedPair"><correctResponse><value>LEFT.host RIGHT.host</value><value>LEFT.card RIGHT.card</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>1</value></defaultValue></outcomeDeclaration>
    <outcomeDeclaration identifier="FEEDBACK" cardinality="multiple" baseType="identifier"/>
    <itemBody>
    <p>Which belongs to which?</p>
    <matchInteraction responseIdentifier="RESPONSE" shuffle="true" maxAssociations="2">
    <simpleMatchSet>
    <simpleAssociableChoice identifier="LEFT.host" matchMax="1">host</simpleAssociableChoice>
    <simpleAssociableChoice identifier="LEFT.card" matchMax="1">card</simpleAssociableChoice>
    </simpleMatchSet>
    <simpleMatchSet>
    <simpleAssociableChoice identifier="RIGHT.host" matchMax="1">the CPU</simpleAssociableChoice>
    <simpleAssociableChoice identifier="RIGHT.card" matchMax="1">the GPU</simpleAssociableChoice>
    </simpleMatchSet>
    </matchInteraction>
    </itemBody>
    <responseProcessing>
    <responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>
    <setOutcomeValue identifier="FEEDBACK"><multiple><baseValue baseType="identifier">EXPLAIN</baseValue></multiple></setOutcomeValue>
    </responseProcessing>
    <modalFeedback outcomeIdentifier="FEEDBACK" identifier="EXPLAIN" showHide="show">
    <p>Because it is so.</p>

    </modalFeedback>
    </assessmentItem>
    "#);
    insta::assert_snapshot!(files[0].1, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="warpup">
      <metadata>
        <schema>QTIv2.1 Package</schema>
        <schemaversion>1.0.0</schemaversion>
      </metadata>
      <organizations/>
      <resources>
        <resource identifier="places.q-place" type="imsqti_item_xmlv2p1" href="items/places/q-place.xml">
          <file href="items/places/q-place.xml"/>
        </resource>
        <resource identifier="places.q-bytes" type="imsqti_item_xmlv2p1" href="items/places/q-bytes.xml">
          <file href="items/places/q-bytes.xml"/>
        </resource>
        <resource identifier="places.q-which" type="imsqti_item_xmlv2p1" href="items/places/q-which.xml">
          <file href="items/places/q-which.xml"/>
        </resource>
        <resource identifier="places.q-order" type="imsqti_item_xmlv2p1" href="items/places/q-order.xml">
          <file href="items/places/q-order.xml"/>
        </resource>
        <resource identifier="places.q-pairs" type="imsqti_item_xmlv2p1" href="items/places/q-pairs.xml">
          <file href="items/places/q-pairs.xml"/>
        </resource>
        <resource identifier="copies.q-bus" type="imsqti_item_xmlv2p1" href="items/copies/q-bus.xml">
          <file href="items/copies/q-bus.xml"/>
        </resource>
        <resource identifier="copies.q-bytes" type="imsqti_item_xmlv2p1" href="items/copies/q-bytes.xml">
          <file href="items/copies/q-bytes.xml"/>
        </resource>
        <resource identifier="copies.q-order" type="imsqti_item_xmlv2p1" href="items/copies/q-order.xml">
          <file href="items/copies/q-order.xml"/>
        </resource>
        <resource identifier="copies.q-words" type="imsqti_item_xmlv2p1" href="items/copies/q-words.xml">
          <file href="items/copies/q-words.xml"/>
        </resource>
      </resources>
    </manifest>
    "#);
}

#[test]
fn the_items_of_the_whole_course_are_well_formed_and_have_names_of_their_own() {
    let (files, remarks) = of_course(&course::parse(&embedded()).0);
    assert!(files.len() > 200);
    let mut names: Vec<&String> = files.iter().map(|it| &it.0).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), files.len());
    for (name, text) in &files {
        let mut reader = quick_xml::Reader::from_str(text);
        while reader
            .read_event()
            .unwrap_or_else(|why| panic!("{name}: {why}"))
            != quick_xml::events::Event::Eof
        {}
    }
    let remarks = remarks.into_vec();
    let predictions = remarks.iter().find(|it| it.what.contains("prediction"));
    assert!(predictions.is_some());
}

#[test]
fn the_package_is_a_zip_file_that_depends_on_nothing_else() {
    let course = course::sample::course();
    let quizzes: Vec<&Quiz> = course
        .lessons
        .iter()
        .filter_map(|it| it.quiz.as_ref())
        .collect();
    let package = || write(&course, &quizzes, &mut Remarks::default()).unwrap();
    let bytes = package();
    assert_eq!(bytes, package());
    let mut archive = zip::ZipArchive::new(io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive
        .by_name("imsmanifest.xml")
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(text.contains("items/places/q-place.xml"));
}

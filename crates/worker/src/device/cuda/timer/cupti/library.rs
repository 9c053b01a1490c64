//! CUPTI's library, loaded while the program runs: most machines have none, and nothing may need it.

use super::collector;
use super::places::{candidates, name};
use super::record::{ActivityKind, is_known};
use libloading::Library;
use std::ffi::{CStr, c_char, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

/// A result of CUPTI; 0 is success.
type CuptiResult = u32;

/// CUPTI's walk through a buffer.
pub(super) type NextRecord = unsafe extern "C" fn(*mut u8, usize, *mut *mut u8) -> CuptiResult;

type GiveBuffer = extern "C" fn(*mut *mut u8, *mut usize, *mut usize);
type TakeBuffer = extern "C" fn(*mut c_void, u32, *mut u8, usize, usize);
type TimestampCallback = extern "C" fn() -> u64;

/// The kind of an operation's number (`CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0`).
const OWN_NUMBERS: u32 = 3;

/// Calls of the driver that give the card something to do, by CUPTI's numbers (`cupti_driver_cbid.h`): launches, copies and
/// fills, and the same for a thread's own stream.
const CALLS: [u32; 19] = [
    307, 442, 652, 653, 276, 277, 278, 279, 280, 281, 421, 422, 423, 216, 218, 220, 428, 429, 430,
];

/// What is used of CUPTI.
pub(super) struct Cupti {
    version: u32,
    path: PathBuf,
    result_string: unsafe extern "C" fn(CuptiResult, *mut *const c_char) -> CuptiResult,
    get_timestamp: unsafe extern "C" fn(*mut u64) -> CuptiResult,
    /// Missing before CUDA 11.8.
    register_clock: Option<unsafe extern "C" fn(TimestampCallback) -> CuptiResult>,
    register_callbacks: unsafe extern "C" fn(GiveBuffer, TakeBuffer) -> CuptiResult,
    enable: unsafe extern "C" fn(u32) -> CuptiResult,
    disable: unsafe extern "C" fn(u32) -> CuptiResult,
    /// Missing before CUDA 12.6.
    enable_call: Option<unsafe extern "C" fn(u32, u8) -> CuptiResult>,
    flush_all: unsafe extern "C" fn(u32) -> CuptiResult,
    next_record: NextRecord,
    dropped: unsafe extern "C" fn(*mut c_void, u32, *mut usize) -> CuptiResult,
    push: unsafe extern "C" fn(u32, u64) -> CuptiResult,
    pop: unsafe extern "C" fn(u32, *mut u64) -> CuptiResult,
}

static CUPTI: OnceLock<Result<Cupti, String>> = OnceLock::new();

/// CUPTI, loaded at the first call; why not, if it cannot.
pub(super) fn load() -> Result<&'static Cupti, String> {
    CUPTI.get_or_init(open).as_ref().map_err(Clone::clone)
}

/// CUPTI's walk through a buffer, if it is loaded.
pub(super) fn next_record() -> Option<NextRecord> {
    let cupti = CUPTI.get()?.as_ref().ok()?;
    Some(cupti.next_record)
}

/// The major version of the CUDA that this worker was built with.
fn major() -> u32 {
    let built = option_env!("WARPUP_BUILT_CUDA").unwrap_or_default();
    let major = built.split('.').next().and_then(|it| it.parse().ok());
    major.unwrap_or(13)
}

fn open() -> Result<Cupti, String> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let toolkits = ["CUDA_HOME", "CUDA_PATH"]
        .iter()
        .filter_map(std::env::var_os);
    let toolkits: Vec<PathBuf> = toolkits.map(PathBuf::from).collect();
    let major = major();
    let mut refused = None;
    for path in candidates(major, &maps, &toolkits) {
        if path.is_absolute() && !path.exists() {
            continue;
        }
        #[expect(unsafe_code, reason = "a library may do anything when it is loaded")]
        // SAFETY: it is NVIDIA's library by its name, in a folder that the machine's own CUDA is loaded from or named by.
        match unsafe { Library::new(&path) } {
            Ok(library) => return Cupti::of(library, path.canonicalize().unwrap_or(path)),
            Err(error) if path.is_absolute() => refused = Some(error.to_string()),
            Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| format!("{} is not on this machine", name(major))))
}

impl Cupti {
    /// The functions of a library; it stays loaded, since CUPTI has threads.
    fn of(library: Library, path: PathBuf) -> Result<Self, String> {
        let library: &'static Library = Box::leak(Box::new(library));
        /// A function by its name; the type is that of CUPTI's headers.
        macro_rules! function {
            ($name:literal) => {{
                #[expect(unsafe_code, reason = "a library has names, and no types")]
                // SAFETY: the field that it is written to has the type of CUPTI's headers.
                let found = unsafe { library.get($name) };
                found.map(|it| *it)
            }};
        }
        let missing = |error: libloading::Error| error.to_string();
        let get_version: unsafe extern "C" fn(*mut u32) -> CuptiResult =
            function!(b"cuptiGetVersion\0").map_err(missing)?;
        let mut cupti = Self {
            version: 0,
            path,
            result_string: function!(b"cuptiGetResultString\0").map_err(missing)?,
            get_timestamp: function!(b"cuptiGetTimestamp\0").map_err(missing)?,
            register_clock: function!(b"cuptiActivityRegisterTimestampCallback\0").ok(),
            register_callbacks: function!(b"cuptiActivityRegisterCallbacks\0").map_err(missing)?,
            enable: function!(b"cuptiActivityEnable\0").map_err(missing)?,
            disable: function!(b"cuptiActivityDisable\0").map_err(missing)?,
            enable_call: function!(b"cuptiActivityEnableDriverApi\0").ok(),
            flush_all: function!(b"cuptiActivityFlushAll\0").map_err(missing)?,
            next_record: function!(b"cuptiActivityGetNextRecord\0").map_err(missing)?,
            dropped: function!(b"cuptiActivityGetNumDroppedRecords\0").map_err(missing)?,
            push: function!(b"cuptiActivityPushExternalCorrelationId\0").map_err(missing)?,
            pop: function!(b"cuptiActivityPopExternalCorrelationId\0").map_err(missing)?,
        };
        #[expect(unsafe_code, reason = "a call of C")]
        // SAFETY: the place for the answer outlives the call.
        let answer = unsafe { get_version(&raw mut cupti.version) };
        cupti.check("cuptiGetVersion", answer)?;
        if !is_known(cupti.version) {
            return Err(format!(
                "its records are known from CUDA 12.0 to 13.1, and {} is version {}",
                cupti.path.display(),
                cupti.version
            ));
        }
        Ok(cupti)
    }

    /// Its version and where it is.
    pub(super) fn words(&self) -> String {
        format!("version {} from {}", self.version, self.path.display())
    }

    /// Records from now on.
    pub(super) fn start_recording(&self, kinds: &[ActivityKind]) -> Result<(), String> {
        #[expect(unsafe_code, reason = "calls of C")]
        // SAFETY: the functions that CUPTI calls back live as long as the process.
        unsafe {
            if let Some(register) = self.register_clock {
                // One that stays with its own clock is compared with ours.
                let _ = register(monotonic);
            }
            let answer = (self.register_callbacks)(collector::give_buffer, collector::take_buffer);
            self.check("cuptiActivityRegisterCallbacks", answer)?;
            for kind in kinds {
                self.check("cuptiActivityEnable", (self.enable)(*kind as u32))?;
            }
            let Some(enable_call) = self.enable_call else {
                return self.record_all_calls();
            };
            for call in CALLS {
                self.check("cuptiActivityEnableDriverApi", enable_call(call, 1))?;
            }
        }
        Ok(())
    }

    /// Records all calls of the driver, not only those that give the card something to do.
    pub(super) fn record_all_calls(&self) -> Result<(), String> {
        #[expect(unsafe_code, reason = "a call of C")]
        // SAFETY: it takes a number.
        let answer = unsafe { (self.enable)(ActivityKind::Driver as u32) };
        self.check("cuptiActivityEnable", answer)
    }

    /// Records nothing more, and drops what it has.
    pub(super) fn stop_recording(&self, kinds: &[ActivityKind]) {
        #[expect(unsafe_code, reason = "calls of C")]
        // SAFETY: it takes numbers. What is not enabled need not be disabled, so answers say nothing.
        unsafe {
            for kind in kinds {
                let _ = (self.disable)(*kind as u32);
            }
            let _ = (self.disable)(ActivityKind::Driver as u32);
            if let Some(enable_call) = self.enable_call {
                for call in CALLS {
                    let _ = enable_call(call, 0);
                }
            }
        }
        self.flush();
    }

    /// Delivers all complete records; whether it did.
    pub(super) fn flush(&self) -> bool {
        let mut dropped = 0;
        #[expect(unsafe_code, reason = "calls of C")]
        // SAFETY: the place for the answer outlives the call; no context means all of them.
        let answers = unsafe {
            let flushed = (self.flush_all)(0);
            (
                flushed,
                (self.dropped)(std::ptr::null_mut(), 0, &raw mut dropped),
            )
        };
        if dropped > 0 {
            collector::note_dropped();
        }
        answers == (0, 0)
    }

    /// CUPTI's clock.
    pub(super) fn timestamp(&self) -> Result<u64, String> {
        let mut now = 0;
        #[expect(unsafe_code, reason = "a call of C")]
        // SAFETY: the place for the answer outlives the call.
        let answer = unsafe { (self.get_timestamp)(&raw mut now) };
        self.check("cuptiGetTimestamp", answer).map(|()| now)
    }

    /// Calls of this thread are made under a number from now on; whether they are.
    pub(super) fn push(&self, number: u64) -> bool {
        #[expect(unsafe_code, reason = "a call of C")]
        // SAFETY: it takes two numbers.
        let answer = unsafe { (self.push)(OWN_NUMBERS, number) };
        answer == 0
    }

    /// No longer.
    pub(super) fn pop(&self) {
        #[expect(unsafe_code, reason = "a call of C")]
        // SAFETY: the number is not of interest.
        let _ = unsafe { (self.pop)(OWN_NUMBERS, std::ptr::null_mut()) };
    }

    fn check(&self, call: &str, answer: CuptiResult) -> Result<(), String> {
        if answer == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        #[expect(unsafe_code, reason = "a call of C, and text of C")]
        // SAFETY: the text is CUPTI's, ends with 0 and stays.
        let words = unsafe {
            let _ = (self.result_string)(answer, &raw mut text);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy())
        };
        let words = words.unwrap_or_default();
        Err(format!("{call} answers {words} ({answer})"))
    }
}

/// The clock that CUPTI gives its times in, where it takes one: it never goes back, as the time of day does.
extern "C" fn monotonic() -> u64 {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    let since = ORIGIN.get_or_init(Instant::now).elapsed();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

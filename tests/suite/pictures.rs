//! The synthetic `torchvision`: its datasets can be learnt, and its transforms do what torchvision's do.

use crate::support::lab_runner::LabRunner;
use crate::support::request::python;

fn printed(source: &str) -> String {
    LabRunner::start().run_to_done(python(source)).output
}

#[test]
fn a_linear_model_learns_the_synthetic_digits() {
    let printed = printed(
        r#"
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

train = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
test = datasets.MNIST("data", train=False)
print(train.data.shape, train.data.dtype, train.targets.bincount().tolist(), len(test), train.classes[3])
image, label = train[0]
print(image.shape, image.dtype, 0 <= image.min() and image.max() <= 1, label == train.targets[0], test[0][0].size)
images, labels = next(iter(DataLoader(train, batch_size=64)))
print(images.shape, labels.dtype)
model = nn.Linear(784, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
pictures = train.data.reshape(-1, 784).float() / 255
for at in range(0, 5000, 100):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(pictures[at:at + 100]), train.targets[at:at + 100]).backward()
    optimizer.step()
right = model(test.data.reshape(-1, 784).float() / 255).argmax(1) == test.targets
print(right.float().mean().item() > 0.8, torch.equal(datasets.MNIST("other").data, train.data))
print(train)
"#,
    );
    let expected = "\
torch.Size([5000, 28, 28]) torch.uint8 [500, 500, 500, 500, 500, 500, 500, 500, 500, 500] 1000 3 - three
torch.Size([1, 28, 28]) torch.float32 tensor(True) tensor(True) (28, 28)
torch.Size([64, 1, 28, 28]) torch.int64
True True
Dataset MNIST
    Number of datapoints: 5000
    Root location: data
    Split: Train
    StandardTransform
Transform: ToTensor()
";
    assert_eq!(printed, expected);
}

#[test]
fn transforms_are_those_of_torchvision() {
    let printed = printed(
        r#"
import torch
from torchvision import datasets, transforms, utils

x = torch.arange(16.0).reshape(1, 4, 4)
print(transforms.Normalize((0.5,), (0.5,))(x)[0, 0])
print(transforms.CenterCrop(2)(x), transforms.Resize(2)(x).shape, transforms.RandomCrop(4, padding=1)(x).shape)
print(transforms.RandomHorizontalFlip(p=1.0)(x)[0, 0], transforms.Pad(1)(x).shape)
both = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,)), transforms.Lambda(lambda x: x * 2)])
print(both)
colours = datasets.CIFAR10("data", train=False, transform=both)
print(colours.data.shape, colours.data.dtype, colours[3][0].shape, colours.classes[colours[3][1]] in colours.classes)
fake = datasets.FakeData(size=2, image_size=(3, 8, 8), transform=transforms.ToTensor())
print(len(fake), fake[1][0].shape, torch.equal(fake[1][0], fake[1][0]))
grid = utils.make_grid(torch.ones(5, 1, 2, 3), nrow=3, padding=1, pad_value=0.5)
print(grid.shape, grid[0, 0, 0].item(), grid[2, 1, 1].item())
for wrong in (lambda: transforms.ToPILImage(), lambda: datasets.ImageFolder("data"), lambda: transforms.Nomalize):
    try:
        wrong()
    except (NotImplementedError, AttributeError) as error:
        print(error)
"#,
    );
    let expected = "\
tensor([-1.,  1.,  3.,  5.])
tensor([[[ 5.,  6.],
         [ 9., 10.]]]) torch.Size([1, 2, 2]) torch.Size([1, 4, 4])
tensor([3., 2., 1., 0.]) torch.Size([1, 6, 6])
Compose(
    ToTensor()
    Normalize(mean=(0.5,), std=(0.5,))
    Lambda()
)
(250, 32, 32, 3) uint8 torch.Size([3, 32, 32]) True
2 torch.Size([3, 8, 8]) True
torch.Size([3, 7, 13]) 0.5 1.0
to_pil_image is not part of warpup, which has no PIL. Keep the tensor: transforms take it as well
module 'torchvision.datasets' has no attribute 'ImageFolder': a run has no disk. Use FakeData, which makes pictures of any size
module 'torchvision.transforms' has no attribute 'Nomalize': did you mean `Normalize`?
";
    assert_eq!(printed, expected);
}

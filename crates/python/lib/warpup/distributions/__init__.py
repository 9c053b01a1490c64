"""torch.distributions. Each part is loaded on first use."""

from warpup import _names

_LATER = {
    "warpup.distributions.distribution": "distribution Distribution",
    "warpup.distributions.constraints": "constraints",
    "warpup.distributions.transforms":
        "transforms Transform ComposeTransform ExpTransform PowerTransform SigmoidTransform TanhTransform AbsTransform "
        "AffineTransform SoftmaxTransform SoftplusTransform identity_transform",
    "warpup.distributions.continuous":
        "Normal Uniform Exponential Laplace Cauchy Gamma Chi2 Beta Dirichlet StudentT",
    "warpup.distributions.discrete":
        "Bernoulli Categorical OneHotCategorical OneHotCategoricalStraightThrough Binomial Geometric Multinomial Poisson",
    "warpup.distributions.joint":
        "Independent MixtureSameFamily MultivariateNormal TransformedDistribution LogNormal HalfNormal Gumbel",
    "warpup.distributions.kl": "kl kl_divergence register_kl",
}
__getattr__ = _names.getter("torch.distributions", globals(), _LATER)

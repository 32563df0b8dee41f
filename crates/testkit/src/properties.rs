//! Properties of values that proptest generates, one value per seed.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};

/// The maximum number of values that a test may reject before it accepts one.
const REJECTS: u32 = 10_000;
/// The maximum number of simpler values that are tried if the test fails.
const SIMPLER: u32 = 4_000;

/// Generates a value from a seed and tests it. If the test rejects it, the next one is tested.
///
/// # Panics
/// If the test fails, with the simplest value found for which it does, or if it rejects too many values.
pub fn check<S: Strategy>(seed: u64, values: &S, test: impl Fn(S::Value) -> TestCaseResult) {
    let config = Config {
        cases: 1,
        max_global_rejects: REJECTS,
        max_shrink_iters: SIMPLER,
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let result = TestRunner::new_with_rng(config, rng).run(values, test);
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, value)) => panic!("seed {seed}: {why}\n{value:#?}"),
        Err(TestError::Abort(why)) => panic!("seed {seed}: {why}"),
    }
}

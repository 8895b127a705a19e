//! The command line as people meet it: transcripts of what is printed and how it ends.
//!
//! After a change that is meant: `TRYCMD=overwrite cargo test --test cli`, then read the difference.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}

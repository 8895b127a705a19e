//! JUnit XML: every gate of every report as a test case, for the views of CI servers.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// A report as a suite.
pub struct Suite {
    /// The report's stem.
    pub name: String,
    /// Its checks.
    pub cases: Vec<Case>,
}

/// A check as a case.
pub struct Case {
    /// What had to hold.
    pub name: String,
    /// How it ended.
    pub end: End,
}

/// How a case ended.
pub enum End {
    /// It holds.
    Passed,
    /// It does not: why.
    Failed(String),
    /// The report could not be made: why.
    Error(String),
}

/// The XML text.
#[must_use]
pub fn junit(suites: &[Suite]) -> String {
    let mut report = quick_junit::Report::new("simllm");
    for suite in suites {
        let mut out = TestSuite::new(suite.name.as_str());
        for case in &suite.cases {
            out.add_test_case(TestCase::new(case.name.as_str(), status(&case.end)));
        }
        report.add_test_suite(out);
    }
    // Writing plain texts to memory cannot fail.
    report.to_string().unwrap_or_default()
}

fn status(end: &End) -> TestCaseStatus {
    let not = |kind, why: &str| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(why);
        status
    };
    match end {
        End::Passed => TestCaseStatus::success(),
        End::Failed(why) => not(NonSuccessKind::Failure, why),
        End::Error(why) => not(NonSuccessKind::Error, why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_strangers_stay_inside_their_attribute() {
        let cases = vec![
            Case { name: "a \"<b>\" & \u{1}c".to_owned(), end: End::Failed("1 > 0 ]]>".to_owned()) },
            Case { name: "ok".to_owned(), end: End::Passed },
        ];
        let xml = junit(&[Suite { name: "s".to_owned(), cases }]);
        assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
        assert!(!xml.contains("<b>") && !xml.contains('\u{1}') && !xml.contains("timestamp"), "{xml}");
    }
}

#!/bin/sh
# Every test. Installs the browser where it can; without one, the browser's tests say that they were skipped.
set -eu
cd "$(dirname "$0")/.."

if ! command -v chromium >/dev/null 2>&1 && [ -z "${CHROMIUM:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser's tests"
    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        chromium fonts-liberation fonts-noto-cjk) >/dev/null 2>&1 || echo "Chromium could not be installed"
fi
if command -v npm >/dev/null 2>&1; then
    npm ci --prefix tests/browser --no-audit --no-fund --silent || echo "the browser driver could not be installed"
fi

cargo fmt --check
cargo clippy --all-targets --quiet -- -D warnings
cargo test --quiet

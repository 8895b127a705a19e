//! The files of `profiles/` and `hardware/`, one line each; a test fails for a file that is missing here.

macro_rules! file {
    ($folder:literal, $id:literal) => {
        ($id, include_str!(concat!("../../", $folder, "/", $id, ".yaml")))
    };
}

pub(super) const PROFILES: &[(&str, &str)] = &[
    file!("profiles", "llama-2-13b"),
    file!("profiles", "llama-2-70b"),
    file!("profiles", "llama-2-7b"),
    file!("profiles", "llama-3-70b"),
    file!("profiles", "llama-3-8b"),
    file!("profiles", "llama-3.1-70b"),
    file!("profiles", "llama-3.1-8b"),
    file!("profiles", "llama-3.2-1b"),
    file!("profiles", "mistral-7b"),
    file!("profiles", "qwen2.5-32b"),
    file!("profiles", "qwen2.5-3b"),
    file!("profiles", "qwen2.5-72b"),
    file!("profiles", "qwen2.5-7b"),
    file!("profiles", "qwen3-14b"),
    file!("profiles", "qwen3-32b"),
    file!("profiles", "qwen3-8b"),
];

pub(super) const HARDWARE: &[(&str, &str)] = &[
    file!("hardware", "a10"),
    file!("hardware", "a100_40gb_sxm"),
    file!("hardware", "a100_80gb_pcie"),
    file!("hardware", "a100_80gb_sxm"),
    file!("hardware", "a100_pcie_40"),
    file!("hardware", "a10g"),
    file!("hardware", "a30"),
    file!("hardware", "a40"),
    file!("hardware", "a6000"),
    file!("hardware", "b200_sxm"),
    file!("hardware", "b300_sxm"),
    file!("hardware", "gb10"),
    file!("hardware", "gb200"),
    file!("hardware", "gb300"),
    file!("hardware", "gh200_144"),
    file!("hardware", "gh200_96gb"),
    file!("hardware", "h100_80gb_pcie"),
    file!("hardware", "h100_80gb_sxm"),
    file!("hardware", "h100_nvl"),
    file!("hardware", "h20"),
    file!("hardware", "h200_nvl"),
    file!("hardware", "h200_sxm"),
    file!("hardware", "h800_sxm"),
    file!("hardware", "l4"),
    file!("hardware", "l40"),
    file!("hardware", "l40s"),
    file!("hardware", "mi210"),
    file!("hardware", "mi250"),
    file!("hardware", "mi250x"),
    file!("hardware", "mi300x"),
    file!("hardware", "mi325x"),
    file!("hardware", "mi350x"),
    file!("hardware", "mi355x"),
    file!("hardware", "rtx_3060_12"),
    file!("hardware", "rtx_3070"),
    file!("hardware", "rtx_3080_10gb"),
    file!("hardware", "rtx_3080_ti"),
    file!("hardware", "rtx_3090"),
    file!("hardware", "rtx_3090_ti"),
    file!("hardware", "rtx_4000_ada"),
    file!("hardware", "rtx_4060_ti_16"),
    file!("hardware", "rtx_4070_ti"),
    file!("hardware", "rtx_4080"),
    file!("hardware", "rtx_4090"),
    file!("hardware", "rtx_5000_ada"),
    file!("hardware", "rtx_5090"),
    file!("hardware", "rtx_6000_ada"),
    file!("hardware", "rtx_pro_6000"),
    file!("hardware", "rx7900xtx"),
    file!("hardware", "t4"),
    file!("hardware", "v100_sxm2_16"),
    file!("hardware", "v100_sxm2_32"),
];

pub(super) const CALIBRATION: &[(&str, &str)] = &[
    file!("hardware/calibration", "a100_sxm"),
    file!("hardware/calibration", "a100_vidur"),
    file!("hardware/calibration", "a40"),
    file!("hardware/calibration", "b200_sxm"),
    file!("hardware/calibration", "b300_sxm"),
    file!("hardware/calibration", "b60"),
    file!("hardware/calibration", "gb200"),
    file!("hardware/calibration", "gb300"),
    file!("hardware/calibration", "h100_sxm"),
    file!("hardware/calibration", "h100_vidur"),
    file!("hardware/calibration", "h200_sxm"),
    file!("hardware/calibration", "l40s"),
    file!("hardware/calibration", "rtx_pro_6000_server"),
];

pub(super) const DEFAULTS: &str = include_str!("../../hardware/calibration/defaults.yaml");

pub(super) const ENGINES: &str = include_str!("../../hardware/engines.yaml");

//! The program's memory use.

/// Returns the program's current memory use in bytes; 0 if the system doesn't report it.
#[cfg(target_os = "linux")]
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status.split_whitespace().nth(1);
    let pages: Option<u64> = pages.and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// Returns 0: this system doesn't report the program's memory use.
#[cfg(not(target_os = "linux"))]
pub fn resident() -> u64 {
    0
}

/// Returns the program's peak memory use in bytes; 0 if the system doesn't report it.
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix(" kB"));
    let kilobytes: Option<u64> = peak.and_then(|peak| peak.trim().parse().ok());
    kilobytes.unwrap_or(0) * 1024
}

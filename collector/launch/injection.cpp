// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/injection.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "collector/launch/given.h"
#include "collector/launch/needed_libraries.h"
#include "collector/launch/process_facts.h"
#include "collector/wire/session.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCudaVariable = "CUDA_INJECTION64_PATH";
constexpr const char* kNvtxVariable = "NVTX_INJECTION64_PATH";
constexpr const char* kRecorder = "liblanescope-inject.so";

bool isExecutableFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// The text of the program header that names the dynamic loader; nothing for a static executable.
std::optional<std::string> loaderOf(std::ifstream& in, const Elf64_Ehdr& header) {
  constexpr std::uint16_t kMostHeaders = 512;
  for (std::uint16_t i = 0; i < std::min(header.e_phnum, kMostHeaders); ++i) {
    Elf64_Phdr part{};
    in.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof part));
    if (!in.read(reinterpret_cast<char*>(&part), sizeof part)) return std::nullopt;
    if (part.p_type != PT_INTERP || part.p_filesz > 4096) continue;
    std::string loader(part.p_filesz, '\0');
    in.seekg(static_cast<std::streamoff>(part.p_offset));
    in.read(loader.data(), static_cast<std::streamsize>(loader.size()));
    return loader;
  }
  return std::nullopt;
}

}  // namespace

std::string whyNotHere(const ReadVariable& environment) {
  if (environment(wire::kSessionVariable)) {
    return "this is already being recorded by lanescope; record the outer or the inner program, not both";
  }
  for (const char* name : {kCudaVariable, kNvtxVariable}) {
    if (const auto value = environment(name); value && !value->empty()) {
      return fmt::format("{} is already set, to {}: another profiler records here; unset it, or run without that tool",
                         name, *value);
    }
  }
  if (environment("NSYS_PROFILING_SESSION_ID")) {
    return "this runs under nsys, and only one tool can record CUDA; run without nsys";
  }
  const std::string tracer = tracerName();
  for (const char* tool : {"cuda-gdb", "compute-sanitiz", "nsys", "ncu"}) {
    if (tracer.starts_with(tool)) {
      return fmt::format("this runs under {}, and only one tool can record CUDA; run without it", tracer);
    }
  }
  return {};
}

fs::path findRecorder() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {".", "../lib/lanescope", "../lib64/lanescope", "lib"}) {
    const fs::path file = (folder / place / kRecorder).lexically_normal();
    if (fs::exists(file, error)) return file;
  }
  return {};
}

Variables injectionVariables(const fs::path& recorder, const fs::path& session) {
  Variables all{{wire::kSessionVariable, session.string()}};
  if (!recorder.empty()) {
    all.emplace_back(kCudaVariable, recorder.string());
    all.emplace_back(kNvtxVariable, recorder.string());
  }
  return all;
}

std::optional<std::string> preloadVariable(const fs::path& recorder, const std::vector<std::string>& names,
                                           const ReadVariable& environment) {
  std::string all;
  std::error_code error;
  for (const std::string& name : names) {
    const fs::path file = recorder.parent_path() / name;
    if (recorder.empty() || !fs::exists(file, error)) continue;
    all += (all.empty() ? "" : ":") + file.string();
  }
  if (all.empty()) return std::nullopt;
  const std::string before = environment(kPreloadVariable).value_or("");
  return before.empty() ? all : all + ":" + before;
}

Result<fs::path> findProgram(const std::string& name, const std::string& path) {
  const auto refuse = [&](ErrorCode code, std::string detail) {
    return tl::unexpected(Error{code, name, std::move(detail)});
  };
  std::error_code error;
  if (name.find('/') != std::string::npos) {
    if (isExecutableFile(name)) return fs::path(name);
    if (!fs::exists(name, error)) return refuse(ErrorCode::kNotFound, "no such program");
    if (fs::is_directory(name, error)) return refuse(ErrorCode::kNotFound, "is a folder, not a program");
    return refuse(ErrorCode::kNotFound, "is not executable");
  }
  for (const std::string& folder : splitList(path, ':')) {
    fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (isExecutableFile(file)) return file;
  }
  const bool isHere = isExecutableFile(name);
  return refuse(ErrorCode::kNotFound,
                isHere ? fmt::format("no such program in PATH, but a file here: write ./{}", name) : "no such program");
}

bool isSetUserId(const fs::path& executable) {
  struct stat status{};
  return stat(executable.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0 && geteuid() != 0;
}

std::string whyNotInto(const fs::path& executable) {
  if (isSetUserId(executable)) {
    return "it is set-user-id, and the system keeps libraries out of such programs";
  }
  std::ifstream in(executable, std::ios::binary);
  Elf64_Ehdr header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return {};
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program, which CUDA no longer serves";
  const std::optional<std::string> loader = loaderOf(in, header);
  if (!loader) return "it is linked statically";
  if (loader->find("musl") != std::string::npos) return "it is built for musl, and the recorder for glibc";
  return {};
}

std::string whyNotPreloaded(const fs::path& executable) {
  for (const std::string& library : neededLibraries(executable)) {
    for (const char* sanitizer : {"libasan.", "libtsan.", "liblsan.", "libhwasan.", "libclang_rt."}) {
      if (library.starts_with(sanitizer)) {
        return fmt::format("it is built with a sanitizer ({}), which stands in for the same functions", library);
      }
    }
  }
  return {};
}

fs::path interpreterOf(const fs::path& executable, const std::string& path) {
  std::ifstream in(executable, std::ios::binary);
  std::array<char, 512> head{};
  in.read(head.data(), head.size() - 1);
  std::istringstream line(std::string(head.data()));
  std::string first, word;
  std::getline(line, first);
  if (!first.starts_with("#!")) return executable;
  std::istringstream words(first.substr(2));
  words >> word;
  if (fs::path(word).filename() == "env") {
    while (words >> word && (word.starts_with('-') || word.find('=') != std::string::npos)) {
    }
    const Result<fs::path> found = findProgram(word, path);
    return found ? *found : executable;
  }
  return word.empty() ? executable : fs::path(word);
}

}  // namespace lanescope::launch

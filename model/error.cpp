// SPDX-License-Identifier: Apache-2.0
#include "model/error.h"

#include "model/utf8.h"

namespace lanescope {
namespace {

struct Wording {
  const char* what;    ///< said when the error has no detail
  const char* prefix;  ///< said before the detail
  const char* suffix;  ///< said after it
  const char* remedy;  ///< FILE stands for the subject
};

Wording wording(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return {"no such file", "", "", "check the path"};
    case ErrorCode::kNoPermission:
      return {"permission denied", "", "", "ask its owner for access, or change its mode with chmod"};
    case ErrorCode::kIsFolder:
      return {"is a folder", "", "", "name a report in it"};
    case ErrorCode::kEmpty:
      return {"the file is empty", "", "", "copy or export it again"};
    case ErrorCode::kNotAReport:
      return {"is not a report", "", "", "open a .rep, or an SQLite file made with: nsys export --type sqlite"};
    case ErrorCode::kVendorReport:
      return {"is a Nsight Systems report, which only nsys can read", "is a Nsight Systems report (",
              "), which only nsys can read", "run: nsys export --type sqlite FILE, and open the result"};
    case ErrorCode::kNvprofReport:
      return {"is an nvprof profile, not a report of Nsight Systems", "", "",
              "open it with nvvp, or record the program again with: nsys profile"};
    case ErrorCode::kLfsPointer:
      return {"is a Git LFS pointer, not the file it stands for", "", "", "run: git lfs pull"};
    case ErrorCode::kUnreadable:
      return {"cannot be read", "cannot be read (", ")", "check the disk or the mount it is on"};
    case ErrorCode::kDamaged:
      return {"is damaged", "is damaged (", ")", "copy or export it again"};
    case ErrorCode::kTooNew:
      return {"was written by a newer Lanescope", "", "", "open it with a newer Lanescope"};
    case ErrorCode::kCancelled:
      return {"cancelled", "", "", "start again to finish it"};
    case ErrorCode::kExists:
      return {"already exists", "", "", "choose another name, or overwrite it with --force-overwrite"};
    case ErrorCode::kWriteFailed:
      return {"cannot be written", "cannot be written (", ")", "choose another place"};
    case ErrorCode::kDiskFull:
      return {"the disk is full", "", "", "free some space, or choose another place"};
    case ErrorCode::kBadTimeFilter:
      return {"is no part of time", "is no part of time (", ")", "write [START]/[END], for example 1.5s/2s or +100ms/"};
    case ErrorCode::kBadNvtxFilter:
      return {"is no NVTX range", "is no NVTX range (", ")", "write RANGE[@DOMAIN][/INDEX], for example step/3"};
    case ErrorCode::kFilteredOut:
      return {"the filter leaves nothing of it", "", "", "choose a part of that"};
    case ErrorCode::kNoSuchRange:
      return {"has no such NVTX range", "", "", "see which there are: lanescope stats -r nvtx_sum FILE"};
  }
  return {"failed", "failed (", ")", "try again"};
}

}  // namespace

std::string sentence(const Error& error) {
  const Wording words = wording(error.code);
  std::string remedy = words.remedy;
  if (const auto at = remedy.find("FILE"); at != std::string::npos) remedy.replace(at, 4, error.subject);
  const std::string what = error.detail.empty() ? words.what : words.prefix + error.detail + words.suffix;
  // A path may hold newlines and any bytes; the sentence stays one clean line.
  return repairUtf8(error.subject + ": " + what + "; " + remedy);
}

int exitStatus(const Error& error) {
  switch (error.code) {
    case ErrorCode::kCancelled:
    case ErrorCode::kWriteFailed:
    case ErrorCode::kDiskFull:
      return 3;
    default:
      return 2;
  }
}

}  // namespace lanescope

// SPDX-License-Identifier: Apache-2.0
#include "model/error.h"

#include <cerrno>
#include <cstring>

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
      return {
          "is not a report", "", "",
          "open a .rep, a trace of nvprof, PyTorch, Chrome or ROCm, or a file made with: nsys export --type sqlite"};
    case ErrorCode::kVendorReport:
      return {"is an Nsight Systems report, which only nsys can read", "is an Nsight Systems report (",
              "), which only nsys can read", "run: nsys export --type sqlite FILE, and open the result"};
    case ErrorCode::kNvprofReport:
      return {"is an nvprof profile, not a report", "", "", "open it in lanescope-ui, or run: lanescope info FILE"};
    case ErrorCode::kNoJson:
      return {"is JSON, which this build for servers does not read", "", "",
              "open it on a machine with the whole of Lanescope, by its ssh:// address"};
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
    case ErrorCode::kBadAddress:
      return {"is no address", "is no address (", ")", "write ssh://[user@]host[:port]/path"};
    case ErrorCode::kUnreachable:
      return {"the server cannot be reached", "the server cannot be reached (", ")",
              "check its name and the network; ssh -v to it says more"};
    case ErrorCode::kHostKey:
      return {"the server's key is not the one that is known", "", "",
              "ask who runs it for its key; if it is right, connect once with ssh to accept it"};
    case ErrorCode::kLoginRefused:
      return {"the server refused the login", "the server refused the login (", ")",
              "check user and key; what ssh can log in to works here too"};
    case ErrorCode::kServerRefused:
      return {"the server refused", "the server refused (", ")", "ask who runs it"};
    case ErrorCode::kConnectionLost:
      return {"the connection was lost", "the connection was lost (", ")",
              "try again; what came over is kept and the rest follows"};
    case ErrorCode::kGoneThere:
      return {"there is no such file", "", "", "check the path; it may have been moved or removed"};
    case ErrorCode::kUnreadableThere:
      return {"it cannot be read there", "it cannot be read there (", ")", "ask its owner for access"};
    case ErrorCode::kStillWritten:
      return {"it is still being written", "it is still being written (", ")", "try again once that is done"};
    case ErrorCode::kStillRead:
      return {"it is still being read", "it is still being read (", ")", "wait until that is done"};
  }
  return {"failed", "failed (", ")", "try again"};
}

}  // namespace

std::string sentence(const Error& error) {
  const Wording words = wording(error.code);
  std::string remedy = error.remedy.empty() ? words.remedy : error.remedy;
  for (auto at = remedy.find("FILE"); at != std::string::npos; at = remedy.find("FILE", at + error.subject.size()))
    remedy.replace(at, 4, error.subject);
  const std::string what = error.detail.empty() ? words.what : words.prefix + error.detail + words.suffix;
  // A path may hold newlines and any bytes; the sentence stays one clean line.
  return repairUtf8(error.subject + ": " + what + "; " + remedy);
}

int exitStatus(const Error& error) {
  switch (error.code) {
    case ErrorCode::kCancelled:
    case ErrorCode::kWriteFailed:
    case ErrorCode::kDiskFull:
    case ErrorCode::kUnreachable:
    case ErrorCode::kHostKey:
    case ErrorCode::kLoginRefused:
    case ErrorCode::kServerRefused:
    case ErrorCode::kConnectionLost:
    case ErrorCode::kGoneThere:
    case ErrorCode::kUnreadableThere:
    case ErrorCode::kStillWritten:
      return 3;
    default:
      return 2;
  }
}

Error writeError(const std::string& destination, int systemError) {
  switch (systemError) {
    case EINTR:
      return {ErrorCode::kCancelled, destination, ""};
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::kDiskFull, destination, ""};
    case EFBIG:
      return {ErrorCode::kDiskFull, destination, "grows beyond the limit on file sizes (ulimit -f)"};
    case EEXIST:
      return {ErrorCode::kExists, destination, ""};
    default:
      return {ErrorCode::kWriteFailed, destination, std::strerror(systemError)};
  }
}

}  // namespace lanescope

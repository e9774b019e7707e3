// SPDX-License-Identifier: Apache-2.0
// Errors as values. An Error names what it is about and what was wrong; sentence() is the one place that turns it
// into the line a person reads, with the remedy. Nothing in model/ throws across a module's door.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace lanescope {

enum class ErrorCode {
  kNotFound,
  kNoPermission,
  kIsFolder,
  kEmpty,
  kNotAReport,
  kVendorReport,  ///< .nsys-rep or .qdrep: has no public reader
  kNvprofReport,
  kNoJson,        ///< JSON, for a program that was built without a reader of it
  kLfsPointer,    ///< what Git leaves in a file's place until `git lfs pull`
  kUnreadable,    ///< the system refused, for another reason than permission
  kDamaged,
  kTooNew,        ///< our own format, written by a newer Lanescope
  kCancelled,
  kExists,        ///< would overwrite
  kWriteFailed,
  kDiskFull,
  kBadTimeFilter,  ///< the subject is what was typed
  kBadNvtxFilter,  ///< likewise
  kFilteredOut,    ///< a filter leaves nothing of this file
  kNoSuchRange,
  kBadAddress,        ///< the subject is what was typed
  kUnreachable,       ///< of a server and what lies there, the subject its address; as the following
  kHostKey,
  kLoginRefused,
  kServerRefused,     ///< the server cannot or will not do what is asked
  kConnectionLost,
  kGoneThere,
  kUnreadableThere,
  kStillWritten,
  kStillRead,  ///< by this program: what is asked comes when that is done
};

struct Error {
  ErrorCode code;
  std::string subject;  ///< the file it is about
  std::string detail;   ///< what was found, in plain words; may be empty
  std::string remedy = {};  ///< what to do, where that is not what goes with the code; FILE stands for the subject
};

/// "FILE: what is wrong; what to do", without a full stop or newline.
std::string sentence(const Error& error);

/// The exit status of design.md section 7 that this error ends a command with: 2 or 3.
int exitStatus(const Error& error);

/// An error about writing, from errno: kDiskFull, kExists or kWriteFailed; kCancelled where a signal came.
Error writeError(const std::string& destination, int systemError);

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace lanescope

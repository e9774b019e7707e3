// SPDX-License-Identifier: Apache-2.0
// make_sample FROM.sqlite TO.rep: makes the bundled sample of a golden export, through the writer.
#include <cstdio>

#include "app/version.h"
#include "model/report/copy.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_sample FROM TO\n");
    return 2;
  }
  using namespace lanescope;
  const Job job;
  const auto copied = report::Database::open(argv[1]).and_then([&](const report::Database& source) {
    report::Slice all(source, {}, job);
    return report::copyReport(all, argv[2], report::IfExists::kReplace, LANESCOPE_VERSION);
  });
  if (copied) return 0;
  std::fprintf(stderr, "make_sample: %s\n", sentence(copied.error()).c_str());
  return exitStatus(copied.error());
}

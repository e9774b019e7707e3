// SPDX-License-Identifier: Apache-2.0
// What a server answers over SFTP, each packet read in every way that answers are. Never reads beyond it, and once it
// has ended stays ended.
#include "model/remote/sftp_packet.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope::remote;
  using lanescope::fuzz::demand;
  const std::string_view packet = lanescope::fuzz::textOf(bytes, size);
  PacketReader reader(packet);
  for (std::size_t step = 0; reader.good() && step <= size; ++step) {
    const std::size_t before = reader.left();
    switch (reader.byte()) {
      case sftp::kStatus:
        reader.number();
        reader.text();
        break;
      case sftp::kName:
        demand(reader.text().size() <= before);
        demand(reader.text().size() <= before);
        reader.attributes();
        break;
      case sftp::kAttributes:
        reader.attributes();
        break;
      case sftp::kVersion:
        reader.number();
        reader.large();
        break;
      default:
        break;
    }
    demand(!reader.good() || reader.left() < before);
  }
  if (!reader.good()) demand(reader.number() == 0 && reader.text().empty() && !reader.good());
  return 0;
}

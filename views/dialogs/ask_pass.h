// SPDX-License-Identifier: GPL-3.0-or-later
// What ssh asks, as a small window: a password, a pass phrase, a code, or whether a server's key is the right one. The
// answer goes to ssh alone and is kept nowhere. GUI thread only.
#pragma once

#include <QDialog>

class QLineEdit;

namespace lanescope::views {

class AskPass : public QDialog {
  Q_OBJECT

 public:
  enum class Kind {
    kSecret,
    kYesNo,    ///< answered with "yes", or by the exit status where ssh wants only a consent
    kNotice,   ///< stays until ssh takes it away: "touch your security key"
  };
  /// `hint`: $SSH_ASKPASS_PROMPT.
  static Kind kindOf(const QString& question, const QString& hint);

  AskPass(const QString& question, Kind kind, QWidget* parent = nullptr);

  /// Once accepted.
  QString answer() const;

 private:
  Kind kind_;
  QLineEdit* secret_ = nullptr;
};

}  // namespace lanescope::views

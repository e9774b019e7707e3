// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the desktop prefers dark: what org.freedesktop.portal.Settings says, else the lightness of the palette that
// the application started with. One D-Bus call when made, with a short timeout; then it follows the portal's signal.
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <optional>

namespace lanescope::views {

class DesktopScheme : public QObject {
  Q_OBJECT

 public:
  explicit DesktopScheme(QObject* parent = nullptr);
  bool dark() const { return portal_.value_or(paletteIsDark_); }

 signals:
  void changed();

 private slots:
  void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  std::optional<bool> portal_;
  bool paletteIsDark_;
};

}  // namespace lanescope::views

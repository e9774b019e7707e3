// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <utility>

// Outside of every namespace, because it names a function that rcc writes; a static library's resources are left out
// of a program unless somebody asks for them.
static void linkResources() { Q_INIT_RESOURCE(resources); }

namespace lanescope::views {
namespace {

struct NamedColour {
  const char* name;
  QColor ThemeColours::* member;
};
constexpr NamedColour kColours[] = {
    {"window", &ThemeColours::window},
    {"chrome", &ThemeColours::chrome},
    {"panel", &ThemeColours::panel},
    {"field", &ThemeColours::field},
    {"chip", &ThemeColours::chip},
    {"canvas", &ThemeColours::canvas},
    {"canvasAlternate", &ThemeColours::canvasAlternate},
    {"hairline", &ThemeColours::hairline},
    {"gridLine", &ThemeColours::gridLine},
    {"text", &ThemeColours::text},
    {"textDim", &ThemeColours::textDim},
    {"textFaint", &ThemeColours::textFaint},
    {"accent", &ThemeColours::accent},
    {"textOnAccent", &ThemeColours::textOnAccent},
    {"selectionFill", &ThemeColours::selectionFill},
    {"rowHighlight", &ThemeColours::rowHighlight},
    {"marker", &ThemeColours::marker},
    {"warning", &ThemeColours::warning},
    {"error", &ThemeColours::error},
    {"curveFill", &ThemeColours::curveFill},
};

// In the order of trace::EventKind.
constexpr const char* kKinds[trace::kEventKinds] = {
    "kernel",     "copy",       "memset",         "graph-launch", "sync",          "gpu-page-fault", "cuda-api",
    "os-runtime", "nvtx-range", "nvtx-start-end", "nvtx-mark",    "library-call",  "overhead",       "thread-state",
    "cpu-sample", "cpu-core",   "cpu-page-fault", "thread-wait",  "python-sample", "gil-wait",       "nvtx-projection",
    "idle"};

// In the order of the export's copyKind.
constexpr const char* kCopies[PaletteColours::kCopyKinds] = {
    "unknown",        "host-to-device",         "device-to-host",         "host-to-array",           "array-to-host",
    "array-to-array", "array-to-device",        "device-to-array",        "device-to-device",        "host-to-host",
    "peer-to-peer",   "unified-host-to-device", "unified-device-to-host", "unified-device-to-device"};

// In the order of Change, from kSame on.
constexpr const char* kChanges[] = {"same", "slower", "faster", "only-a", "only-b"};

/// Takes keys out of a JSON object one by one, remembering the first thing that is wrong.
class Reader {
 public:
  Reader(QJsonObject object, QString path, QString& wrong)
      : object_(std::move(object)), path_(std::move(path)), wrong_(wrong) {}
  ~Reader() {
    if (!object_.isEmpty()) complain(object_.constBegin().key(), QStringLiteral("is not known"));
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  QColor colour(const QString& key) { return colourOf(key, object_.take(key)); }

  std::vector<QColor> colours(const QString& key) {
    std::vector<QColor> all;
    for (const QJsonValue& value : object_.take(key).toArray()) all.push_back(colourOf(key, value));
    if (all.empty()) complain(key, QStringLiteral("is missing or empty"));
    return all;
  }

  Reader group(const QString& key) {
    const QJsonValue value = object_.take(key);
    if (!value.isObject()) complain(key, QStringLiteral("is missing or no object"));
    return Reader(value.toObject(), path_ + key + u'.', wrong_);
  }

 private:
  QColor colourOf(const QString& key, const QJsonValue& value) {
    const QColor colour(value.toString());
    if (value.isUndefined()) complain(key, QStringLiteral("is missing"));
    else if (!value.isString() || !colour.isValid()) complain(key, QStringLiteral("is not a colour"));
    return colour;
  }
  void complain(const QString& key, const QString& what) {
    if (wrong_.isEmpty()) wrong_ = path_ + key + u' ' + what;
  }

  QJsonObject object_;
  QString path_;
  QString& wrong_;
};

}  // namespace

tl::expected<ThemeFile, QString> readTheme(const QByteArray& json) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (!document.isObject()) return tl::unexpected(QStringLiteral("no JSON object: ") + error.errorString());

  ThemeFile theme;
  QString wrong;
  {
    Reader root(document.object(), {}, wrong);
    {
      Reader colours = root.group(QStringLiteral("colours"));
      for (const NamedColour& c : kColours) theme.colours.*c.member = colours.colour(QLatin1String(c.name));
    }
    const std::vector<QColor> curves = root.colours(QStringLiteral("curves"));
    for (std::size_t i = 0; i < theme.colours.curves.size() && !curves.empty(); ++i)
      theme.colours.curves[i] = curves[i % curves.size()];
    {
      Reader kinds = root.group(QStringLiteral("kinds"));
      for (std::size_t i = 0; i < trace::kEventKinds; ++i)
        for (const QColor& shade : kinds.colours(QLatin1String(kKinds[i])))
          theme.palette.shades[i].push_back(shade.rgb());
    }
    {
      Reader copies = root.group(QStringLiteral("copies"));
      for (std::size_t i = 0; i < PaletteColours::kCopyKinds; ++i)
        theme.palette.copies[i] = copies.colour(QLatin1String(kCopies[i])).rgb();
    }
    {
      Reader changes = root.group(QStringLiteral("changes"));
      for (std::size_t i = 0; i < theme.palette.changes.size(); ++i)
        theme.palette.changes[i] = changes.colour(QLatin1String(kChanges[i])).rgb();
    }
    {
      Reader barText = root.group(QStringLiteral("barText"));
      theme.palette.darkText = barText.colour(QStringLiteral("dark")).rgb();
      theme.palette.lightText = barText.colour(QStringLiteral("light")).rgb();
    }
    theme.palette.waitingApi = root.colour(QStringLiteral("waitingApi")).rgb();
    theme.palette.copyApi = root.colour(QStringLiteral("copyApi")).rgb();
    theme.palette.preempted = root.colour(QStringLiteral("preempted")).rgb();
    theme.palette.canvas = theme.colours.canvas.rgb();
  }
  if (!wrong.isEmpty()) return tl::unexpected(wrong);
  return theme;
}

QByteArray themeJson(const QString& name) {
  linkResources();
  QFile file(QStringLiteral(":/themes/%1.json").arg(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString styleSheet(const ThemeFile& theme, double fontScale) {
  linkResources();
  QFile file(QStringLiteral(":/themes/style.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString sheet = QString::fromUtf8(file.readAll());
  for (const NamedColour& c : kColours) {
    const QColor& colour = theme.colours.*c.member;
    const QString value = QStringLiteral("rgba(%1,%2,%3,%4)")
                              .arg(colour.red())
                              .arg(colour.green())
                              .arg(colour.blue())
                              .arg(colour.alpha());
    sheet.replace(QRegularExpression(QStringLiteral("@%1\\b").arg(QLatin1String(c.name))), value);
  }
  // Sizes of text are written as @12px and follow the user's choice.
  static const QRegularExpression size(QStringLiteral("@(\\d+)px"));
  for (auto match = size.match(sheet); match.hasMatch(); match = size.match(sheet))
    sheet.replace(match.capturedStart(), match.capturedLength(),
                  QStringLiteral("%1px").arg(qRound(match.captured(1).toInt() * fontScale)));
  return sheet;
}

}  // namespace lanescope::views

import{createRequire as __rq}from'node:module';const require=__rq(import.meta.url);
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key2 of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key2) && key2 !== except)
        __defProp(to, key2, { get: () => from[key2], enumerable: !(desc = __getOwnPropDesc(from, key2)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// node_modules/semver/internal/constants.js
var require_constants = __commonJS({
  "node_modules/semver/internal/constants.js"(exports, module) {
    "use strict";
    var SEMVER_SPEC_VERSION = "2.0.0";
    var MAX_LENGTH = 256;
    var MAX_SAFE_INTEGER = Number.MAX_SAFE_INTEGER || /* istanbul ignore next */
    9007199254740991;
    var MAX_SAFE_COMPONENT_LENGTH = 16;
    var MAX_SAFE_BUILD_LENGTH = MAX_LENGTH - 6;
    var WHITESPACE_CHARACTERS = [
      "	",
      "\n",
      "\v",
      "\f",
      "\r",
      " ",
      "\xA0",
      "\u1680",
      "\u2000",
      "\u2001",
      "\u2002",
      "\u2003",
      "\u2004",
      "\u2005",
      "\u2006",
      "\u2007",
      "\u2008",
      "\u2009",
      "\u200A",
      "\u2028",
      "\u2029",
      "\u202F",
      "\u205F",
      "\u3000",
      "\uFEFF"
    ];
    var RELEASE_TYPES = [
      "major",
      "premajor",
      "minor",
      "preminor",
      "patch",
      "prepatch",
      "prerelease"
    ];
    module.exports = {
      MAX_LENGTH,
      MAX_SAFE_COMPONENT_LENGTH,
      MAX_SAFE_BUILD_LENGTH,
      MAX_SAFE_INTEGER,
      WHITESPACE_CHARACTERS,
      RELEASE_TYPES,
      SEMVER_SPEC_VERSION,
      FLAG_INCLUDE_PRERELEASE: 1,
      FLAG_LOOSE: 2
    };
  }
});

// node_modules/semver/internal/debug.js
var require_debug = __commonJS({
  "node_modules/semver/internal/debug.js"(exports, module) {
    "use strict";
    var debug = typeof process === "object" && process.env && process.env.NODE_DEBUG && /\bsemver\b/i.test(process.env.NODE_DEBUG) ? (...args) => console.error("SEMVER", ...args) : () => {
    };
    module.exports = debug;
  }
});

// node_modules/semver/internal/re.js
var require_re = __commonJS({
  "node_modules/semver/internal/re.js"(exports, module) {
    "use strict";
    var {
      MAX_SAFE_COMPONENT_LENGTH,
      MAX_SAFE_BUILD_LENGTH,
      MAX_LENGTH
    } = require_constants();
    var debug = require_debug();
    exports = module.exports = {};
    var re = exports.re = [];
    var safeRe = exports.safeRe = [];
    var src = exports.src = [];
    var safeSrc = exports.safeSrc = [];
    var t2 = exports.t = {};
    var R = 0;
    var LETTERDASHNUMBER = "[a-zA-Z0-9-]";
    var safeRegexReplacements = [
      ["\\s", 1],
      ["\\d", MAX_LENGTH],
      [LETTERDASHNUMBER, MAX_SAFE_BUILD_LENGTH]
    ];
    var makeSafeRegex = (value) => {
      for (const [token2, max] of safeRegexReplacements) {
        value = value.split(`${token2}*`).join(`${token2}{0,${max}}`).split(`${token2}+`).join(`${token2}{1,${max}}`);
      }
      return value;
    };
    var createToken = (name2, value, isGlobal) => {
      const safe = makeSafeRegex(value);
      const index = R++;
      debug(name2, index, value);
      t2[name2] = index;
      src[index] = value;
      safeSrc[index] = safe;
      re[index] = new RegExp(value, isGlobal ? "g" : void 0);
      safeRe[index] = new RegExp(safe, isGlobal ? "g" : void 0);
    };
    createToken("NUMERICIDENTIFIER", "0|[1-9]\\d*");
    createToken("NUMERICIDENTIFIERLOOSE", "\\d+");
    createToken("NONNUMERICIDENTIFIER", `\\d*[a-zA-Z-]${LETTERDASHNUMBER}*`);
    createToken("MAINVERSION", `(${src[t2.NUMERICIDENTIFIER]})\\.(${src[t2.NUMERICIDENTIFIER]})\\.(${src[t2.NUMERICIDENTIFIER]})`);
    createToken("MAINVERSIONLOOSE", `(${src[t2.NUMERICIDENTIFIERLOOSE]})\\.(${src[t2.NUMERICIDENTIFIERLOOSE]})\\.(${src[t2.NUMERICIDENTIFIERLOOSE]})`);
    createToken("PRERELEASEIDENTIFIER", `(?:${src[t2.NONNUMERICIDENTIFIER]}|${src[t2.NUMERICIDENTIFIER]})`);
    createToken("PRERELEASEIDENTIFIERLOOSE", `(?:${src[t2.NONNUMERICIDENTIFIER]}|${src[t2.NUMERICIDENTIFIERLOOSE]})`);
    createToken("PRERELEASE", `(?:-(${src[t2.PRERELEASEIDENTIFIER]}(?:\\.${src[t2.PRERELEASEIDENTIFIER]})*))`);
    createToken("PRERELEASELOOSE", `(?:-?(${src[t2.PRERELEASEIDENTIFIERLOOSE]}(?:\\.${src[t2.PRERELEASEIDENTIFIERLOOSE]})*))`);
    createToken("BUILDIDENTIFIER", `${LETTERDASHNUMBER}+`);
    createToken("BUILD", `(?:\\+(${src[t2.BUILDIDENTIFIER]}(?:\\.${src[t2.BUILDIDENTIFIER]})*))`);
    createToken("FULLPLAIN", `v?${src[t2.MAINVERSION]}${src[t2.PRERELEASE]}?${src[t2.BUILD]}?`);
    createToken("FULL", `^${src[t2.FULLPLAIN]}$`);
    createToken("LOOSEPLAIN", `[v=\\s]*${src[t2.MAINVERSIONLOOSE]}${src[t2.PRERELEASELOOSE]}?${src[t2.BUILD]}?`);
    createToken("LOOSE", `^${src[t2.LOOSEPLAIN]}$`);
    createToken("GTLT", "((?:<|>)?=?)");
    createToken("XRANGEIDENTIFIERLOOSE", `${src[t2.NUMERICIDENTIFIERLOOSE]}|x|X|\\*`);
    createToken("XRANGEIDENTIFIER", `${src[t2.NUMERICIDENTIFIER]}|x|X|\\*`);
    createToken("XRANGEPLAIN", `[v=\\s]*(${src[t2.XRANGEIDENTIFIER]})(?:\\.(${src[t2.XRANGEIDENTIFIER]})(?:\\.(${src[t2.XRANGEIDENTIFIER]})(?:${src[t2.PRERELEASE]})?${src[t2.BUILD]}?)?)?`);
    createToken("XRANGEPLAINLOOSE", `[v=\\s]*(${src[t2.XRANGEIDENTIFIERLOOSE]})(?:\\.(${src[t2.XRANGEIDENTIFIERLOOSE]})(?:\\.(${src[t2.XRANGEIDENTIFIERLOOSE]})(?:${src[t2.PRERELEASELOOSE]})?${src[t2.BUILD]}?)?)?`);
    createToken("XRANGE", `^${src[t2.GTLT]}\\s*${src[t2.XRANGEPLAIN]}$`);
    createToken("XRANGELOOSE", `^${src[t2.GTLT]}\\s*${src[t2.XRANGEPLAINLOOSE]}$`);
    createToken("COERCEPLAIN", `${"(^|[^\\d])(\\d{1,"}${MAX_SAFE_COMPONENT_LENGTH}})(?:\\.(\\d{1,${MAX_SAFE_COMPONENT_LENGTH}}))?(?:\\.(\\d{1,${MAX_SAFE_COMPONENT_LENGTH}}))?`);
    createToken("COERCE", `${src[t2.COERCEPLAIN]}(?:$|[^\\d])`);
    createToken("COERCEFULL", src[t2.COERCEPLAIN] + `(?:${src[t2.PRERELEASE]})?(?:${src[t2.BUILD]})?(?:$|[^\\d])`);
    createToken("COERCERTL", src[t2.COERCE], true);
    createToken("COERCERTLFULL", src[t2.COERCEFULL], true);
    createToken("LONETILDE", "(?:~>?)");
    createToken("TILDETRIM", `(\\s*)${src[t2.LONETILDE]}\\s+`, true);
    exports.tildeTrimReplace = "$1~";
    createToken("TILDE", `^${src[t2.LONETILDE]}${src[t2.XRANGEPLAIN]}$`);
    createToken("TILDELOOSE", `^${src[t2.LONETILDE]}${src[t2.XRANGEPLAINLOOSE]}$`);
    createToken("LONECARET", "(?:\\^)");
    createToken("CARETTRIM", `(\\s*)${src[t2.LONECARET]}\\s+`, true);
    exports.caretTrimReplace = "$1^";
    createToken("CARET", `^${src[t2.LONECARET]}${src[t2.XRANGEPLAIN]}$`);
    createToken("CARETLOOSE", `^${src[t2.LONECARET]}${src[t2.XRANGEPLAINLOOSE]}$`);
    createToken("COMPARATORLOOSE", `^${src[t2.GTLT]}\\s*(${src[t2.LOOSEPLAIN]})$|^$`);
    createToken("COMPARATOR", `^${src[t2.GTLT]}\\s*(${src[t2.FULLPLAIN]})$|^$`);
    createToken("COMPARATORTRIM", `(\\s*)${src[t2.GTLT]}\\s*(${src[t2.LOOSEPLAIN]}|${src[t2.XRANGEPLAIN]})`, true);
    exports.comparatorTrimReplace = "$1$2$3";
    createToken("HYPHENRANGE", `^\\s*(${src[t2.XRANGEPLAIN]})\\s+-\\s+(${src[t2.XRANGEPLAIN]})\\s*$`);
    createToken("HYPHENRANGELOOSE", `^\\s*(${src[t2.XRANGEPLAINLOOSE]})\\s+-\\s+(${src[t2.XRANGEPLAINLOOSE]})\\s*$`);
    createToken("STAR", "(<|>)?=?\\s*\\*");
    createToken("GTE0", "^\\s*>=\\s*0\\.0\\.0\\s*$");
    createToken("GTE0PRE", "^\\s*>=\\s*0\\.0\\.0-0\\s*$");
  }
});

// node_modules/semver/internal/parse-options.js
var require_parse_options = __commonJS({
  "node_modules/semver/internal/parse-options.js"(exports, module) {
    "use strict";
    var looseOption = Object.freeze({ loose: true });
    var emptyOpts = Object.freeze({});
    var parseOptions = (options) => {
      if (!options) {
        return emptyOpts;
      }
      if (typeof options !== "object") {
        return looseOption;
      }
      return options;
    };
    module.exports = parseOptions;
  }
});

// node_modules/semver/internal/identifiers.js
var require_identifiers = __commonJS({
  "node_modules/semver/internal/identifiers.js"(exports, module) {
    "use strict";
    var numeric = /^[0-9]+$/;
    var compareIdentifiers2 = (a, b) => {
      if (typeof a === "number" && typeof b === "number") {
        return a === b ? 0 : a < b ? -1 : 1;
      }
      const anum = numeric.test(a);
      const bnum = numeric.test(b);
      if (anum && bnum) {
        a = +a;
        b = +b;
      }
      return a === b ? 0 : anum && !bnum ? -1 : bnum && !anum ? 1 : a < b ? -1 : 1;
    };
    var rcompareIdentifiers = (a, b) => compareIdentifiers2(b, a);
    module.exports = {
      compareIdentifiers: compareIdentifiers2,
      rcompareIdentifiers
    };
  }
});

// node_modules/semver/classes/semver.js
var require_semver = __commonJS({
  "node_modules/semver/classes/semver.js"(exports, module) {
    "use strict";
    var debug = require_debug();
    var { MAX_LENGTH, MAX_SAFE_INTEGER } = require_constants();
    var { safeRe: re, t: t2 } = require_re();
    var parseOptions = require_parse_options();
    var { compareIdentifiers: compareIdentifiers2 } = require_identifiers();
    var isPrereleaseIdentifier = (prerelease, identifier) => {
      const identifiers3 = identifier.split(".");
      if (identifiers3.length > prerelease.length) {
        return false;
      }
      for (let i = 0; i < identifiers3.length; i++) {
        if (compareIdentifiers2(prerelease[i], identifiers3[i]) !== 0) {
          return false;
        }
      }
      return true;
    };
    var SemVer = class _SemVer {
      constructor(version2, options) {
        options = parseOptions(options);
        if (version2 instanceof _SemVer) {
          if (version2.loose === !!options.loose && version2.includePrerelease === !!options.includePrerelease) {
            return version2;
          } else {
            version2 = version2.version;
          }
        } else if (typeof version2 !== "string") {
          throw new TypeError(`Invalid version. Must be a string. Got type "${typeof version2}".`);
        }
        if (version2.length > MAX_LENGTH) {
          throw new TypeError(
            `version is longer than ${MAX_LENGTH} characters`
          );
        }
        debug("SemVer", version2, options);
        this.options = options;
        this.loose = !!options.loose;
        this.includePrerelease = !!options.includePrerelease;
        const m = version2.trim().match(options.loose ? re[t2.LOOSE] : re[t2.FULL]);
        if (!m) {
          throw new TypeError(`Invalid Version: ${version2}`);
        }
        this.raw = version2;
        this.major = +m[1];
        this.minor = +m[2];
        this.patch = +m[3];
        if (this.major > MAX_SAFE_INTEGER || this.major < 0) {
          throw new TypeError("Invalid major version");
        }
        if (this.minor > MAX_SAFE_INTEGER || this.minor < 0) {
          throw new TypeError("Invalid minor version");
        }
        if (this.patch > MAX_SAFE_INTEGER || this.patch < 0) {
          throw new TypeError("Invalid patch version");
        }
        if (!m[4]) {
          this.prerelease = [];
        } else {
          this.prerelease = m[4].split(".").map((id) => {
            if (/^[0-9]+$/.test(id)) {
              const num = +id;
              if (num >= 0 && num < MAX_SAFE_INTEGER) {
                return num;
              }
            }
            return id;
          });
        }
        this.build = m[5] ? m[5].split(".") : [];
        this.format();
      }
      format() {
        this.version = `${this.major}.${this.minor}.${this.patch}`;
        if (this.prerelease.length) {
          this.version += `-${this.prerelease.join(".")}`;
        }
        return this.version;
      }
      toString() {
        return this.version;
      }
      compare(other) {
        debug("SemVer.compare", this.version, this.options, other);
        if (!(other instanceof _SemVer)) {
          if (typeof other === "string" && other === this.version) {
            return 0;
          }
          other = new _SemVer(other, this.options);
        }
        if (other.version === this.version) {
          return 0;
        }
        return this.compareMain(other) || this.comparePre(other);
      }
      compareMain(other) {
        if (!(other instanceof _SemVer)) {
          other = new _SemVer(other, this.options);
        }
        if (this.major < other.major) {
          return -1;
        }
        if (this.major > other.major) {
          return 1;
        }
        if (this.minor < other.minor) {
          return -1;
        }
        if (this.minor > other.minor) {
          return 1;
        }
        if (this.patch < other.patch) {
          return -1;
        }
        if (this.patch > other.patch) {
          return 1;
        }
        return 0;
      }
      comparePre(other) {
        if (!(other instanceof _SemVer)) {
          other = new _SemVer(other, this.options);
        }
        if (this.prerelease.length && !other.prerelease.length) {
          return -1;
        } else if (!this.prerelease.length && other.prerelease.length) {
          return 1;
        } else if (!this.prerelease.length && !other.prerelease.length) {
          return 0;
        }
        let i = 0;
        do {
          const a = this.prerelease[i];
          const b = other.prerelease[i];
          debug("prerelease compare", i, a, b);
          if (a === void 0 && b === void 0) {
            return 0;
          } else if (b === void 0) {
            return 1;
          } else if (a === void 0) {
            return -1;
          } else if (a === b) {
            continue;
          } else {
            return compareIdentifiers2(a, b);
          }
        } while (++i);
      }
      compareBuild(other) {
        if (!(other instanceof _SemVer)) {
          other = new _SemVer(other, this.options);
        }
        let i = 0;
        do {
          const a = this.build[i];
          const b = other.build[i];
          debug("build compare", i, a, b);
          if (a === void 0 && b === void 0) {
            return 0;
          } else if (b === void 0) {
            return 1;
          } else if (a === void 0) {
            return -1;
          } else if (a === b) {
            continue;
          } else {
            return compareIdentifiers2(a, b);
          }
        } while (++i);
      }
      // preminor will bump the version up to the next minor release, and immediately
      // down to pre-release. premajor and prepatch work the same way.
      inc(release, identifier, identifierBase) {
        if (release.startsWith("pre")) {
          if (!identifier && identifierBase === false) {
            throw new Error("invalid increment argument: identifier is empty");
          }
          if (identifier) {
            const match = `-${identifier}`.match(this.options.loose ? re[t2.PRERELEASELOOSE] : re[t2.PRERELEASE]);
            if (!match || match[1] !== identifier) {
              throw new Error(`invalid identifier: ${identifier}`);
            }
          }
        }
        switch (release) {
          case "premajor":
            this.prerelease.length = 0;
            this.patch = 0;
            this.minor = 0;
            this.major++;
            this.inc("pre", identifier, identifierBase);
            break;
          case "preminor":
            this.prerelease.length = 0;
            this.patch = 0;
            this.minor++;
            this.inc("pre", identifier, identifierBase);
            break;
          case "prepatch":
            this.prerelease.length = 0;
            this.inc("patch", identifier, identifierBase);
            this.inc("pre", identifier, identifierBase);
            break;
          // If the input is a non-prerelease version, this acts the same as
          // prepatch.
          case "prerelease":
            if (this.prerelease.length === 0) {
              this.inc("patch", identifier, identifierBase);
            }
            this.inc("pre", identifier, identifierBase);
            break;
          case "release":
            if (this.prerelease.length === 0) {
              throw new Error(`version ${this.raw} is not a prerelease`);
            }
            this.prerelease.length = 0;
            break;
          case "major":
            if (this.minor !== 0 || this.patch !== 0 || this.prerelease.length === 0) {
              this.major++;
            }
            this.minor = 0;
            this.patch = 0;
            this.prerelease = [];
            break;
          case "minor":
            if (this.patch !== 0 || this.prerelease.length === 0) {
              this.minor++;
            }
            this.patch = 0;
            this.prerelease = [];
            break;
          case "patch":
            if (this.prerelease.length === 0) {
              this.patch++;
            }
            this.prerelease = [];
            break;
          // This probably shouldn't be used publicly.
          // 1.0.0 'pre' would become 1.0.0-0 which is the wrong direction.
          case "pre": {
            const base = Number(identifierBase) ? 1 : 0;
            if (this.prerelease.length === 0) {
              this.prerelease = [base];
            } else {
              let i = this.prerelease.length;
              while (--i >= 0) {
                if (typeof this.prerelease[i] === "number") {
                  this.prerelease[i]++;
                  i = -2;
                }
              }
              if (i === -1) {
                if (identifier === this.prerelease.join(".") && identifierBase === false) {
                  throw new Error("invalid increment argument: identifier already exists");
                }
                this.prerelease.push(base);
              }
            }
            if (identifier) {
              let prerelease = [identifier, base];
              if (identifierBase === false) {
                prerelease = [identifier];
              }
              if (isPrereleaseIdentifier(this.prerelease, identifier)) {
                const prereleaseBase = this.prerelease[identifier.split(".").length];
                if (isNaN(prereleaseBase)) {
                  this.prerelease = prerelease;
                }
              } else {
                this.prerelease = prerelease;
              }
            }
            break;
          }
          default:
            throw new Error(`invalid increment argument: ${release}`);
        }
        this.raw = this.format();
        if (this.build.length) {
          this.raw += `+${this.build.join(".")}`;
        }
        return this;
      }
    };
    module.exports = SemVer;
  }
});

// node_modules/semver/functions/parse.js
var require_parse = __commonJS({
  "node_modules/semver/functions/parse.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var parse3 = (version2, options, throwErrors = false) => {
      if (version2 instanceof SemVer) {
        return version2;
      }
      try {
        return new SemVer(version2, options);
      } catch (er) {
        if (!throwErrors) {
          return null;
        }
        throw er;
      }
    };
    module.exports = parse3;
  }
});

// node_modules/semver/functions/valid.js
var require_valid = __commonJS({
  "node_modules/semver/functions/valid.js"(exports, module) {
    "use strict";
    var parse3 = require_parse();
    var valid = (version2, options) => {
      const v = parse3(version2, options);
      return v ? v.version : null;
    };
    module.exports = valid;
  }
});

// node_modules/semver/functions/clean.js
var require_clean = __commonJS({
  "node_modules/semver/functions/clean.js"(exports, module) {
    "use strict";
    var parse3 = require_parse();
    var clean = (version2, options) => {
      const s = parse3(version2.trim().replace(/^[=v]+/, ""), options);
      return s ? s.version : null;
    };
    module.exports = clean;
  }
});

// node_modules/semver/functions/inc.js
var require_inc = __commonJS({
  "node_modules/semver/functions/inc.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var inc = (version2, release, options, identifier, identifierBase) => {
      if (typeof options === "string") {
        identifierBase = identifier;
        identifier = options;
        options = void 0;
      }
      try {
        return new SemVer(
          version2 instanceof SemVer ? version2.version : version2,
          options
        ).inc(release, identifier, identifierBase).version;
      } catch (er) {
        return null;
      }
    };
    module.exports = inc;
  }
});

// node_modules/semver/functions/diff.js
var require_diff = __commonJS({
  "node_modules/semver/functions/diff.js"(exports, module) {
    "use strict";
    var parse3 = require_parse();
    var diff = (version1, version2) => {
      const v1 = parse3(version1, null, true);
      const v2 = parse3(version2, null, true);
      const comparison = v1.compare(v2);
      if (comparison === 0) {
        return null;
      }
      const v1Higher = comparison > 0;
      const highVersion = v1Higher ? v1 : v2;
      const lowVersion = v1Higher ? v2 : v1;
      const highHasPre = !!highVersion.prerelease.length;
      const lowHasPre = !!lowVersion.prerelease.length;
      if (lowHasPre && !highHasPre) {
        if (!lowVersion.patch && !lowVersion.minor) {
          return "major";
        }
        if (lowVersion.compareMain(highVersion) === 0) {
          if (lowVersion.minor && !lowVersion.patch) {
            return "minor";
          }
          return "patch";
        }
      }
      const prefix = highHasPre ? "pre" : "";
      if (v1.major !== v2.major) {
        return prefix + "major";
      }
      if (v1.minor !== v2.minor) {
        return prefix + "minor";
      }
      if (v1.patch !== v2.patch) {
        return prefix + "patch";
      }
      return "prerelease";
    };
    module.exports = diff;
  }
});

// node_modules/semver/functions/major.js
var require_major = __commonJS({
  "node_modules/semver/functions/major.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var major = (a, loose) => new SemVer(a, loose).major;
    module.exports = major;
  }
});

// node_modules/semver/functions/minor.js
var require_minor = __commonJS({
  "node_modules/semver/functions/minor.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var minor = (a, loose) => new SemVer(a, loose).minor;
    module.exports = minor;
  }
});

// node_modules/semver/functions/patch.js
var require_patch = __commonJS({
  "node_modules/semver/functions/patch.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var patch = (a, loose) => new SemVer(a, loose).patch;
    module.exports = patch;
  }
});

// node_modules/semver/functions/prerelease.js
var require_prerelease = __commonJS({
  "node_modules/semver/functions/prerelease.js"(exports, module) {
    "use strict";
    var parse3 = require_parse();
    var prerelease = (version2, options) => {
      const parsed2 = parse3(version2, options);
      return parsed2 && parsed2.prerelease.length ? parsed2.prerelease : null;
    };
    module.exports = prerelease;
  }
});

// node_modules/semver/functions/compare.js
var require_compare = __commonJS({
  "node_modules/semver/functions/compare.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var compare5 = (a, b, loose) => new SemVer(a, loose).compare(new SemVer(b, loose));
    module.exports = compare5;
  }
});

// node_modules/semver/functions/rcompare.js
var require_rcompare = __commonJS({
  "node_modules/semver/functions/rcompare.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var rcompare = (a, b, loose) => compare5(b, a, loose);
    module.exports = rcompare;
  }
});

// node_modules/semver/functions/compare-loose.js
var require_compare_loose = __commonJS({
  "node_modules/semver/functions/compare-loose.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var compareLoose = (a, b) => compare5(a, b, true);
    module.exports = compareLoose;
  }
});

// node_modules/semver/functions/compare-build.js
var require_compare_build = __commonJS({
  "node_modules/semver/functions/compare-build.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var compareBuild = (a, b, loose) => {
      const versionA = new SemVer(a, loose);
      const versionB = new SemVer(b, loose);
      return versionA.compare(versionB) || versionA.compareBuild(versionB);
    };
    module.exports = compareBuild;
  }
});

// node_modules/semver/functions/sort.js
var require_sort = __commonJS({
  "node_modules/semver/functions/sort.js"(exports, module) {
    "use strict";
    var compareBuild = require_compare_build();
    var sort = (list2, loose) => list2.sort((a, b) => compareBuild(a, b, loose));
    module.exports = sort;
  }
});

// node_modules/semver/functions/rsort.js
var require_rsort = __commonJS({
  "node_modules/semver/functions/rsort.js"(exports, module) {
    "use strict";
    var compareBuild = require_compare_build();
    var rsort = (list2, loose) => list2.sort((a, b) => compareBuild(b, a, loose));
    module.exports = rsort;
  }
});

// node_modules/semver/functions/gt.js
var require_gt = __commonJS({
  "node_modules/semver/functions/gt.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var gt = (a, b, loose) => compare5(a, b, loose) > 0;
    module.exports = gt;
  }
});

// node_modules/semver/functions/lt.js
var require_lt = __commonJS({
  "node_modules/semver/functions/lt.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var lt = (a, b, loose) => compare5(a, b, loose) < 0;
    module.exports = lt;
  }
});

// node_modules/semver/functions/eq.js
var require_eq = __commonJS({
  "node_modules/semver/functions/eq.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var eq = (a, b, loose) => compare5(a, b, loose) === 0;
    module.exports = eq;
  }
});

// node_modules/semver/functions/neq.js
var require_neq = __commonJS({
  "node_modules/semver/functions/neq.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var neq = (a, b, loose) => compare5(a, b, loose) !== 0;
    module.exports = neq;
  }
});

// node_modules/semver/functions/gte.js
var require_gte = __commonJS({
  "node_modules/semver/functions/gte.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var gte = (a, b, loose) => compare5(a, b, loose) >= 0;
    module.exports = gte;
  }
});

// node_modules/semver/functions/lte.js
var require_lte = __commonJS({
  "node_modules/semver/functions/lte.js"(exports, module) {
    "use strict";
    var compare5 = require_compare();
    var lte = (a, b, loose) => compare5(a, b, loose) <= 0;
    module.exports = lte;
  }
});

// node_modules/semver/functions/cmp.js
var require_cmp = __commonJS({
  "node_modules/semver/functions/cmp.js"(exports, module) {
    "use strict";
    var eq = require_eq();
    var neq = require_neq();
    var gt = require_gt();
    var gte = require_gte();
    var lt = require_lt();
    var lte = require_lte();
    var cmp = (a, op, b, loose) => {
      switch (op) {
        case "===":
          if (typeof a === "object") {
            a = a.version;
          }
          if (typeof b === "object") {
            b = b.version;
          }
          return a === b;
        case "!==":
          if (typeof a === "object") {
            a = a.version;
          }
          if (typeof b === "object") {
            b = b.version;
          }
          return a !== b;
        case "":
        case "=":
        case "==":
          return eq(a, b, loose);
        case "!=":
          return neq(a, b, loose);
        case ">":
          return gt(a, b, loose);
        case ">=":
          return gte(a, b, loose);
        case "<":
          return lt(a, b, loose);
        case "<=":
          return lte(a, b, loose);
        default:
          throw new TypeError(`Invalid operator: ${op}`);
      }
    };
    module.exports = cmp;
  }
});

// node_modules/semver/functions/coerce.js
var require_coerce = __commonJS({
  "node_modules/semver/functions/coerce.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var parse3 = require_parse();
    var { safeRe: re, t: t2 } = require_re();
    var coerce = (version2, options) => {
      if (version2 instanceof SemVer) {
        return version2;
      }
      if (typeof version2 === "number") {
        version2 = String(version2);
      }
      if (typeof version2 !== "string") {
        return null;
      }
      options = options || {};
      let match = null;
      if (!options.rtl) {
        match = version2.match(options.includePrerelease ? re[t2.COERCEFULL] : re[t2.COERCE]);
      } else {
        const coerceRtlRegex = options.includePrerelease ? re[t2.COERCERTLFULL] : re[t2.COERCERTL];
        let next;
        while ((next = coerceRtlRegex.exec(version2)) && (!match || match.index + match[0].length !== version2.length)) {
          if (!match || next.index + next[0].length !== match.index + match[0].length) {
            match = next;
          }
          coerceRtlRegex.lastIndex = next.index + next[1].length + next[2].length;
        }
        coerceRtlRegex.lastIndex = -1;
      }
      if (match === null) {
        return null;
      }
      const major = match[2];
      const minor = match[3] || "0";
      const patch = match[4] || "0";
      const prerelease = options.includePrerelease && match[5] ? `-${match[5]}` : "";
      const build = options.includePrerelease && match[6] ? `+${match[6]}` : "";
      return parse3(`${major}.${minor}.${patch}${prerelease}${build}`, options);
    };
    module.exports = coerce;
  }
});

// node_modules/semver/functions/truncate.js
var require_truncate = __commonJS({
  "node_modules/semver/functions/truncate.js"(exports, module) {
    "use strict";
    var parse3 = require_parse();
    var constants = require_constants();
    var SemVer = require_semver();
    var truncate = (version2, truncation, options) => {
      if (!constants.RELEASE_TYPES.includes(truncation)) {
        return null;
      }
      const clonedVersion = cloneInputVersion(version2, options);
      return clonedVersion && doTruncation(clonedVersion, truncation);
    };
    var cloneInputVersion = (version2, options) => {
      const versionStringToParse = version2 instanceof SemVer ? version2.version : version2;
      return parse3(versionStringToParse, options);
    };
    var doTruncation = (version2, truncation) => {
      if (isPrerelease(truncation)) {
        return version2.version;
      }
      version2.prerelease = [];
      switch (truncation) {
        case "major":
          version2.minor = 0;
          version2.patch = 0;
          break;
        case "minor":
          version2.patch = 0;
          break;
      }
      return version2.format();
    };
    var isPrerelease = (type2) => {
      return type2.startsWith("pre");
    };
    module.exports = truncate;
  }
});

// node_modules/semver/internal/lrucache.js
var require_lrucache = __commonJS({
  "node_modules/semver/internal/lrucache.js"(exports, module) {
    "use strict";
    var LRUCache = class {
      constructor() {
        this.max = 1e3;
        this.map = /* @__PURE__ */ new Map();
      }
      get(key2) {
        const value = this.map.get(key2);
        if (value === void 0) {
          return void 0;
        } else {
          this.map.delete(key2);
          this.map.set(key2, value);
          return value;
        }
      }
      delete(key2) {
        return this.map.delete(key2);
      }
      set(key2, value) {
        const deleted = this.delete(key2);
        if (!deleted && value !== void 0) {
          if (this.map.size >= this.max) {
            const firstKey = this.map.keys().next().value;
            this.delete(firstKey);
          }
          this.map.set(key2, value);
        }
        return this;
      }
    };
    module.exports = LRUCache;
  }
});

// node_modules/semver/internal/trim-comparator-whitespace.js
var require_trim_comparator_whitespace = __commonJS({
  "node_modules/semver/internal/trim-comparator-whitespace.js"(exports, module) {
    "use strict";
    var {
      MAX_LENGTH,
      MAX_SAFE_BUILD_LENGTH,
      WHITESPACE_CHARACTERS
    } = require_constants();
    var whitespace = new Uint8Array(65536);
    for (const char of WHITESPACE_CHARACTERS) {
      whitespace[char.charCodeAt(0)] = 1;
    }
    var isWhitespace = (char) => char !== void 0 && whitespace[char.charCodeAt(0)] === 1;
    var isVersionPrefix = (char) => char === "v" || char === "=" || isWhitespace(char);
    var isDigit = (char) => char !== void 0 && char >= "0" && char <= "9";
    var isLetter2 = (char) => char !== void 0 && (char >= "a" && char <= "z" || char >= "A" && char <= "Z");
    var isIdentifierCharacter = (char) => isDigit(char) || isLetter2(char) || char === "-";
    var isVersionStart = (char) => isDigit(char) || char === "x" || char === "X" || char === "*";
    var findDigitsEndIndex = (range, start, limit, digitRuns) => {
      if (!isDigit(range[start])) {
        return start;
      }
      if (start >= digitRuns.start && start < digitRuns.end) {
        return Math.min(start + limit, digitRuns.end);
      }
      if (start >= digitRuns.previousStart && start < digitRuns.previousEnd) {
        return Math.min(start + limit, digitRuns.previousEnd);
      }
      let end2 = start + 1;
      while (isDigit(range[end2])) {
        end2++;
      }
      digitRuns.previousStart = digitRuns.start;
      digitRuns.previousEnd = digitRuns.end;
      digitRuns.start = start;
      digitRuns.end = end2;
      return Math.min(start + limit, end2);
    };
    var findVersionNumberEndIndex = (range, start, loose, digitRuns) => {
      if (!loose && range[start] === "0") {
        return start + 1;
      }
      return findDigitsEndIndex(range, start, loose ? MAX_LENGTH : MAX_LENGTH + 1, digitRuns);
    };
    var findPrereleaseIdentifierEndIndex = (range, start, loose, digitRuns) => {
      const digitsEnd = findDigitsEndIndex(range, start, MAX_LENGTH, digitRuns);
      if (isLetter2(range[digitsEnd]) || range[digitsEnd] === "-") {
        let end2 = digitsEnd + 1;
        const limit = end2 + MAX_SAFE_BUILD_LENGTH;
        while (end2 < limit && isIdentifierCharacter(range[end2])) {
          end2++;
        }
        return end2;
      }
      return findVersionNumberEndIndex(range, start, loose, digitRuns);
    };
    var findPrereleaseEndIndex = (range, start, loose, digitRuns) => {
      const hyphen = range[start] === "-";
      if (!loose && !hyphen) {
        return start;
      }
      const identifierStart = start + (hyphen ? 1 : 0);
      let end2 = findPrereleaseIdentifierEndIndex(range, identifierStart, loose, digitRuns);
      if (end2 === identifierStart) {
        if (!loose || !hyphen) {
          return start;
        }
        end2 = findPrereleaseIdentifierEndIndex(range, start, loose, digitRuns);
      }
      while (range[end2] === ".") {
        const next = findPrereleaseIdentifierEndIndex(range, end2 + 1, loose, digitRuns);
        if (next === end2 + 1) {
          break;
        }
        end2 = next;
      }
      return end2;
    };
    var findBuildIdentifierEndIndex = (range, start) => {
      let end2 = start;
      while (end2 - start < MAX_SAFE_BUILD_LENGTH && isIdentifierCharacter(range[end2])) {
        end2++;
      }
      return end2;
    };
    var findBuildEndIndex = (range, start) => {
      if (range[start] !== "+") {
        return start;
      }
      let end2 = findBuildIdentifierEndIndex(range, start + 1);
      if (end2 === start + 1) {
        return start;
      }
      while (range[end2] === ".") {
        const next = findBuildIdentifierEndIndex(range, end2 + 1);
        if (next === end2 + 1) {
          break;
        }
        end2 = next;
      }
      return end2;
    };
    var findLooseFullVersionEndIndex = (range, start, digitRuns) => {
      let end2 = start;
      for (let component = 0; component < 3; component++) {
        const next = findVersionNumberEndIndex(range, end2, true, digitRuns);
        if (next === end2) {
          return start;
        }
        end2 = next;
        if (component < 2) {
          if (range[end2] !== ".") {
            return start;
          }
          end2++;
        }
      }
      const prereleaseEnd = findPrereleaseEndIndex(range, end2, true, digitRuns);
      return findBuildEndIndex(range, prereleaseEnd);
    };
    var findPartialVersionComponentEndIndex = (range, start, digitRuns) => {
      if (isDigit(range[start])) {
        return findVersionNumberEndIndex(range, start, false, digitRuns);
      }
      return isVersionStart(range[start]) ? start + 1 : start;
    };
    var findPartialVersionEndIndex = (range, start, digitRuns) => {
      let end2 = findPartialVersionComponentEndIndex(range, start, digitRuns);
      for (let component = 0; component < 2; component++) {
        if (range[end2] !== ".") {
          return end2;
        }
        const next = findPartialVersionComponentEndIndex(range, end2 + 1, digitRuns);
        if (next === end2 + 1) {
          return end2;
        }
        end2 = next;
      }
      const prereleaseEnd = findPrereleaseEndIndex(range, end2, false, digitRuns);
      return findBuildEndIndex(range, prereleaseEnd);
    };
    var findVersionEndIndex = (range, start, digitRuns) => {
      const fullVersionEnd = findLooseFullVersionEndIndex(range, start, digitRuns);
      return fullVersionEnd !== start ? fullVersionEnd : findPartialVersionEndIndex(range, start, digitRuns);
    };
    var findRemovableWhitespaceIndex = (range, matchStart) => {
      let position = matchStart;
      if (isWhitespace(range[position])) {
        position++;
      }
      if (range[position] === "<" || range[position] === ">") {
        position++;
      }
      if (range[position] === "=") {
        position++;
      }
      return isWhitespace(range[position]) ? position : -1;
    };
    var trimComparatorWhitespace = (range) => {
      let result = "";
      let copyFrom = 0;
      let cursor = 0;
      const digitRuns = { start: -1, end: -1, previousStart: -1, previousEnd: -1 };
      while (cursor < range.length) {
        const matchStart = cursor;
        if (range[cursor] === "<" || range[cursor] === ">") {
          cursor++;
        } else if (!isVersionPrefix(range[cursor]) && !isVersionStart(range[cursor])) {
          cursor++;
          continue;
        }
        while (cursor < range.length && isVersionPrefix(range[cursor])) {
          cursor++;
        }
        if (!isVersionStart(range[cursor])) {
          continue;
        }
        const whitespacePosition = findRemovableWhitespaceIndex(range, matchStart);
        if (whitespacePosition !== -1) {
          result += range.slice(copyFrom, whitespacePosition);
          copyFrom = whitespacePosition + 1;
        }
        cursor = findVersionEndIndex(range, cursor, digitRuns);
      }
      return result + range.slice(copyFrom);
    };
    module.exports = trimComparatorWhitespace;
  }
});

// node_modules/semver/classes/range.js
var require_range = __commonJS({
  "node_modules/semver/classes/range.js"(exports, module) {
    "use strict";
    var SPACE_CHARACTERS = /\s+/g;
    var Range = class _Range {
      constructor(range, options) {
        options = parseOptions(options);
        if (range instanceof _Range) {
          if (range.loose === !!options.loose && range.includePrerelease === !!options.includePrerelease) {
            return range;
          } else {
            return new _Range(range.raw, options);
          }
        }
        if (range instanceof Comparator) {
          this.raw = range.value;
          this.set = [[range]];
          this.formatted = void 0;
          return this;
        }
        this.options = options;
        this.loose = !!options.loose;
        this.includePrerelease = !!options.includePrerelease;
        this.raw = range.trim().replace(SPACE_CHARACTERS, " ");
        this.set = this.raw.split("||").map((r) => this.parseRange(r.trim())).filter((c) => c.length);
        if (!this.set.length) {
          throw new TypeError(`Invalid SemVer Range: ${this.raw}`);
        }
        if (this.set.length > 1) {
          const first = this.set[0];
          this.set = this.set.filter((c) => !isNullSet(c[0]));
          if (this.set.length === 0) {
            this.set = [first];
          } else if (this.set.length > 1) {
            for (const c of this.set) {
              if (c.length === 1 && isAny(c[0])) {
                this.set = [c];
                break;
              }
            }
          }
        }
        this.formatted = void 0;
      }
      get range() {
        if (this.formatted === void 0) {
          this.formatted = "";
          for (let i = 0; i < this.set.length; i++) {
            if (i > 0) {
              this.formatted += "||";
            }
            const comps = this.set[i];
            for (let k = 0; k < comps.length; k++) {
              if (k > 0) {
                this.formatted += " ";
              }
              this.formatted += comps[k].toString().trim();
            }
          }
        }
        return this.formatted;
      }
      format() {
        return this.range;
      }
      toString() {
        return this.range;
      }
      parseRange(range) {
        range = range.replace(BUILDSTRIPRE, "");
        const memoOpts = (this.options.includePrerelease && FLAG_INCLUDE_PRERELEASE) | (this.options.loose && FLAG_LOOSE);
        const memoKey = memoOpts + ":" + range;
        const cached = cache2.get(memoKey);
        if (cached) {
          return cached;
        }
        const loose = this.options.loose;
        const hr = loose ? re[t2.HYPHENRANGELOOSE] : re[t2.HYPHENRANGE];
        range = range.replace(hr, hyphenReplace(this.options.includePrerelease));
        debug("hyphen replace", range);
        range = trimComparatorWhitespace(range);
        debug("comparator trim", range);
        range = range.replace(re[t2.TILDETRIM], tildeTrimReplace);
        debug("tilde trim", range);
        range = range.replace(re[t2.CARETTRIM], caretTrimReplace);
        debug("caret trim", range);
        let rangeList = range.split(" ").map((comp) => parseComparator(comp, this.options)).join(" ").split(/\s+/).map((comp) => replaceGTE0(comp, this.options));
        if (loose) {
          rangeList = rangeList.filter((comp) => {
            debug("loose invalid filter", comp, this.options);
            return !!comp.match(re[t2.COMPARATORLOOSE]);
          });
        }
        debug("range list", rangeList);
        const rangeMap = /* @__PURE__ */ new Map();
        const comparators = rangeList.map((comp) => new Comparator(comp, this.options));
        for (const comp of comparators) {
          if (isNullSet(comp)) {
            return [comp];
          }
          rangeMap.set(comp.value, comp);
        }
        if (rangeMap.size > 1 && rangeMap.has("")) {
          rangeMap.delete("");
        }
        const result = [...rangeMap.values()];
        cache2.set(memoKey, result);
        return result;
      }
      intersects(range, options) {
        if (!(range instanceof _Range)) {
          throw new TypeError("a Range is required");
        }
        return this.set.some((thisComparators) => {
          return isSatisfiable(thisComparators, options) && range.set.some((rangeComparators) => {
            return isSatisfiable(rangeComparators, options) && thisComparators.every((thisComparator) => {
              return rangeComparators.every((rangeComparator) => {
                return thisComparator.intersects(rangeComparator, options);
              });
            });
          });
        });
      }
      // if ANY of the sets match ALL of its comparators, then pass
      test(version2) {
        if (!version2) {
          return false;
        }
        if (typeof version2 === "string") {
          try {
            version2 = new SemVer(version2, this.options);
          } catch (er) {
            return false;
          }
        }
        for (let i = 0; i < this.set.length; i++) {
          if (testSet(this.set[i], version2, this.options)) {
            return true;
          }
        }
        return false;
      }
    };
    module.exports = Range;
    var LRU = require_lrucache();
    var cache2 = new LRU();
    var parseOptions = require_parse_options();
    var Comparator = require_comparator();
    var debug = require_debug();
    var SemVer = require_semver();
    var trimComparatorWhitespace = require_trim_comparator_whitespace();
    var {
      safeRe: re,
      src,
      t: t2,
      tildeTrimReplace,
      caretTrimReplace
    } = require_re();
    var { FLAG_INCLUDE_PRERELEASE, FLAG_LOOSE } = require_constants();
    var BUILDSTRIPRE = new RegExp(src[t2.BUILD], "g");
    var isNullSet = (c) => c.value === "<0.0.0-0";
    var isAny = (c) => c.value === "";
    var isSatisfiable = (comparators, options) => {
      let result = true;
      const remainingComparators = comparators.slice();
      let testComparator = remainingComparators.pop();
      while (result && remainingComparators.length) {
        result = remainingComparators.every((otherComparator) => {
          return testComparator.intersects(otherComparator, options);
        });
        testComparator = remainingComparators.pop();
      }
      return result;
    };
    var parseComparator = (comp, options) => {
      comp = comp.replace(re[t2.BUILD], "");
      debug("comp", comp, options);
      comp = replaceCarets(comp, options);
      debug("caret", comp);
      comp = replaceTildes(comp, options);
      debug("tildes", comp);
      comp = replaceXRanges(comp, options);
      debug("xrange", comp);
      comp = replaceStars(comp, options);
      debug("stars", comp);
      return comp;
    };
    var isX = (id) => !id || id.toLowerCase() === "x" || id === "*";
    var invalidXRangeOrder = (M, m, p) => isX(M) && !isX(m) || isX(m) && p && !isX(p);
    var replaceTildes = (comp, options) => {
      return comp.trim().split(/\s+/).map((c) => replaceTilde(c, options)).join(" ");
    };
    var replaceTilde = (comp, options) => {
      const r = options.loose ? re[t2.TILDELOOSE] : re[t2.TILDE];
      const z = options.includePrerelease ? "-0" : "";
      return comp.replace(r, (_, M, m, p, pr) => {
        debug("tilde", comp, _, M, m, p, pr);
        let ret;
        if (isX(M)) {
          ret = "";
        } else if (isX(m)) {
          ret = `>=${M}.0.0${z} <${+M + 1}.0.0-0`;
        } else if (isX(p)) {
          ret = `>=${M}.${m}.0${z} <${M}.${+m + 1}.0-0`;
        } else if (pr) {
          debug("replaceTilde pr", pr);
          ret = `>=${M}.${m}.${p}-${pr} <${M}.${+m + 1}.0-0`;
        } else {
          ret = `>=${M}.${m}.${p} <${M}.${+m + 1}.0-0`;
        }
        debug("tilde return", ret);
        return ret;
      });
    };
    var replaceCarets = (comp, options) => {
      return comp.trim().split(/\s+/).map((c) => replaceCaret(c, options)).join(" ");
    };
    var replaceCaret = (comp, options) => {
      debug("caret", comp, options);
      const r = options.loose ? re[t2.CARETLOOSE] : re[t2.CARET];
      const z = options.includePrerelease ? "-0" : "";
      return comp.replace(r, (_, M, m, p, pr) => {
        debug("caret", comp, _, M, m, p, pr);
        let ret;
        if (isX(M)) {
          ret = "";
        } else if (isX(m)) {
          ret = `>=${M}.0.0${z} <${+M + 1}.0.0-0`;
        } else if (isX(p)) {
          if (M === "0") {
            ret = `>=${M}.${m}.0${z} <${M}.${+m + 1}.0-0`;
          } else {
            ret = `>=${M}.${m}.0${z} <${+M + 1}.0.0-0`;
          }
        } else if (pr) {
          debug("replaceCaret pr", pr);
          if (M === "0") {
            if (m === "0") {
              ret = `>=${M}.${m}.${p}-${pr} <${M}.${m}.${+p + 1}-0`;
            } else {
              ret = `>=${M}.${m}.${p}-${pr} <${M}.${+m + 1}.0-0`;
            }
          } else {
            ret = `>=${M}.${m}.${p}-${pr} <${+M + 1}.0.0-0`;
          }
        } else {
          debug("no pr");
          if (M === "0") {
            if (m === "0") {
              ret = `>=${M}.${m}.${p} <${M}.${m}.${+p + 1}-0`;
            } else {
              ret = `>=${M}.${m}.${p} <${M}.${+m + 1}.0-0`;
            }
          } else {
            ret = `>=${M}.${m}.${p} <${+M + 1}.0.0-0`;
          }
        }
        debug("caret return", ret);
        return ret;
      });
    };
    var replaceXRanges = (comp, options) => {
      debug("replaceXRanges", comp, options);
      return comp.split(/\s+/).map((c) => replaceXRange(c, options)).join(" ");
    };
    var replaceXRange = (comp, options) => {
      comp = comp.trim();
      const r = options.loose ? re[t2.XRANGELOOSE] : re[t2.XRANGE];
      return comp.replace(r, (ret, gtlt, M, m, p, pr) => {
        debug("xRange", comp, ret, gtlt, M, m, p, pr);
        if (invalidXRangeOrder(M, m, p)) {
          return comp;
        }
        const xM = isX(M);
        const xm = xM || isX(m);
        const xp = xm || isX(p);
        const anyX = xp;
        if (gtlt === "=" && anyX) {
          gtlt = "";
        }
        pr = options.includePrerelease ? "-0" : "";
        if (xM) {
          if (gtlt === ">" || gtlt === "<") {
            ret = "<0.0.0-0";
          } else {
            ret = "*";
          }
        } else if (gtlt && anyX) {
          if (xm) {
            m = 0;
          }
          p = 0;
          if (gtlt === ">") {
            gtlt = ">=";
            if (xm) {
              M = +M + 1;
              m = 0;
              p = 0;
            } else {
              m = +m + 1;
              p = 0;
            }
          } else if (gtlt === "<=") {
            gtlt = "<";
            if (xm) {
              M = +M + 1;
            } else {
              m = +m + 1;
            }
          }
          if (gtlt === "<") {
            pr = "-0";
          }
          ret = `${gtlt + M}.${m}.${p}${pr}`;
        } else if (xm) {
          ret = `>=${M}.0.0${pr} <${+M + 1}.0.0-0`;
        } else if (xp) {
          ret = `>=${M}.${m}.0${pr} <${M}.${+m + 1}.0-0`;
        }
        debug("xRange return", ret);
        return ret;
      });
    };
    var replaceStars = (comp, options) => {
      debug("replaceStars", comp, options);
      return comp.trim().replace(re[t2.STAR], "");
    };
    var replaceGTE0 = (comp, options) => {
      debug("replaceGTE0", comp, options);
      return comp.trim().replace(re[options.includePrerelease ? t2.GTE0PRE : t2.GTE0], "");
    };
    var hyphenReplace = (incPr) => ($0, from, fM, fm, fp, fpr, fb, to, tM, tm, tp, tpr) => {
      if (isX(fM)) {
        from = "";
      } else if (isX(fm)) {
        from = `>=${fM}.0.0${incPr ? "-0" : ""}`;
      } else if (isX(fp)) {
        from = `>=${fM}.${fm}.0${incPr ? "-0" : ""}`;
      } else if (fpr) {
        from = `>=${from}`;
      } else {
        from = `>=${from}${incPr ? "-0" : ""}`;
      }
      if (isX(tM)) {
        to = "";
      } else if (isX(tm)) {
        to = `<${+tM + 1}.0.0-0`;
      } else if (isX(tp)) {
        to = `<${tM}.${+tm + 1}.0-0`;
      } else if (tpr) {
        to = `<=${tM}.${tm}.${tp}-${tpr}`;
      } else if (incPr) {
        to = `<${tM}.${tm}.${+tp + 1}-0`;
      } else {
        to = `<=${to}`;
      }
      return `${from} ${to}`.trim();
    };
    var testSet = (set2, version2, options) => {
      for (let i = 0; i < set2.length; i++) {
        if (!set2[i].test(version2)) {
          return false;
        }
      }
      if (version2.prerelease.length && !options.includePrerelease) {
        for (let i = 0; i < set2.length; i++) {
          debug(set2[i].semver);
          if (set2[i].semver === Comparator.ANY) {
            continue;
          }
          if (set2[i].semver.prerelease.length > 0) {
            const allowed = set2[i].semver;
            if (allowed.major === version2.major && allowed.minor === version2.minor && allowed.patch === version2.patch) {
              return true;
            }
          }
        }
        return false;
      }
      return true;
    };
  }
});

// node_modules/semver/classes/comparator.js
var require_comparator = __commonJS({
  "node_modules/semver/classes/comparator.js"(exports, module) {
    "use strict";
    var ANY = /* @__PURE__ */ Symbol("SemVer ANY");
    var Comparator = class _Comparator {
      static get ANY() {
        return ANY;
      }
      constructor(comp, options) {
        options = parseOptions(options);
        if (comp instanceof _Comparator) {
          if (comp.loose === !!options.loose) {
            return comp;
          } else {
            comp = comp.value;
          }
        }
        comp = comp.trim().split(/\s+/).join(" ");
        debug("comparator", comp, options);
        this.options = options;
        this.loose = !!options.loose;
        this.parse(comp);
        if (this.semver === ANY) {
          this.value = "";
        } else {
          this.value = this.operator + this.semver.version;
        }
        debug("comp", this);
      }
      parse(comp) {
        const r = this.options.loose ? re[t2.COMPARATORLOOSE] : re[t2.COMPARATOR];
        const m = comp.match(r);
        if (!m) {
          throw new TypeError(`Invalid comparator: ${comp}`);
        }
        this.operator = m[1] !== void 0 ? m[1] : "";
        if (this.operator === "=") {
          this.operator = "";
        }
        if (!m[2]) {
          this.semver = ANY;
        } else {
          this.semver = new SemVer(m[2], this.options.loose);
        }
      }
      toString() {
        return this.value;
      }
      test(version2) {
        debug("Comparator.test", version2, this.options.loose);
        if (this.semver === ANY || version2 === ANY) {
          return true;
        }
        if (typeof version2 === "string") {
          try {
            version2 = new SemVer(version2, this.options);
          } catch (er) {
            return false;
          }
        }
        return cmp(version2, this.operator, this.semver, this.options);
      }
      intersects(comp, options) {
        if (!(comp instanceof _Comparator)) {
          throw new TypeError("a Comparator is required");
        }
        if (this.operator === "") {
          if (this.value === "") {
            return true;
          }
          return new Range(comp.value, options).test(this.value);
        } else if (comp.operator === "") {
          if (comp.value === "") {
            return true;
          }
          return new Range(this.value, options).test(comp.semver);
        }
        options = parseOptions(options);
        if (options.includePrerelease && (this.value === "<0.0.0-0" || comp.value === "<0.0.0-0")) {
          return false;
        }
        if (!options.includePrerelease && (this.value.startsWith("<0.0.0") || comp.value.startsWith("<0.0.0"))) {
          return false;
        }
        if (this.operator.startsWith(">") && comp.operator.startsWith(">")) {
          return true;
        }
        if (this.operator.startsWith("<") && comp.operator.startsWith("<")) {
          return true;
        }
        if (this.semver.version === comp.semver.version && this.operator.includes("=") && comp.operator.includes("=")) {
          return true;
        }
        if (cmp(this.semver, "<", comp.semver, options) && this.operator.startsWith(">") && comp.operator.startsWith("<")) {
          return true;
        }
        if (cmp(this.semver, ">", comp.semver, options) && this.operator.startsWith("<") && comp.operator.startsWith(">")) {
          return true;
        }
        return false;
      }
    };
    module.exports = Comparator;
    var parseOptions = require_parse_options();
    var { safeRe: re, t: t2 } = require_re();
    var cmp = require_cmp();
    var debug = require_debug();
    var SemVer = require_semver();
    var Range = require_range();
  }
});

// node_modules/semver/functions/satisfies.js
var require_satisfies = __commonJS({
  "node_modules/semver/functions/satisfies.js"(exports, module) {
    "use strict";
    var Range = require_range();
    var satisfies = (version2, range, options) => {
      try {
        range = new Range(range, options);
      } catch (er) {
        return false;
      }
      return range.test(version2);
    };
    module.exports = satisfies;
  }
});

// node_modules/semver/ranges/to-comparators.js
var require_to_comparators = __commonJS({
  "node_modules/semver/ranges/to-comparators.js"(exports, module) {
    "use strict";
    var Range = require_range();
    var toComparators = (range, options) => new Range(range, options).set.map((comp) => comp.map((c) => c.value).join(" ").trim().split(" "));
    module.exports = toComparators;
  }
});

// node_modules/semver/ranges/max-satisfying.js
var require_max_satisfying = __commonJS({
  "node_modules/semver/ranges/max-satisfying.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var Range = require_range();
    var maxSatisfying = (versions, range, options) => {
      let max = null;
      let maxSV = null;
      let rangeObj = null;
      try {
        rangeObj = new Range(range, options);
      } catch (er) {
        return null;
      }
      versions.forEach((v) => {
        if (rangeObj.test(v)) {
          if (!max || maxSV.compare(v) === -1) {
            max = v;
            maxSV = new SemVer(max, options);
          }
        }
      });
      return max;
    };
    module.exports = maxSatisfying;
  }
});

// node_modules/semver/ranges/min-satisfying.js
var require_min_satisfying = __commonJS({
  "node_modules/semver/ranges/min-satisfying.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var Range = require_range();
    var minSatisfying = (versions, range, options) => {
      let min = null;
      let minSV = null;
      let rangeObj = null;
      try {
        rangeObj = new Range(range, options);
      } catch (er) {
        return null;
      }
      versions.forEach((v) => {
        if (rangeObj.test(v)) {
          if (!min || minSV.compare(v) === 1) {
            min = v;
            minSV = new SemVer(min, options);
          }
        }
      });
      return min;
    };
    module.exports = minSatisfying;
  }
});

// node_modules/semver/ranges/min-version.js
var require_min_version = __commonJS({
  "node_modules/semver/ranges/min-version.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var Range = require_range();
    var gt = require_gt();
    var minVersion = (range, loose) => {
      range = new Range(range, loose);
      let minver = new SemVer("0.0.0");
      if (range.test(minver)) {
        return minver;
      }
      minver = new SemVer("0.0.0-0");
      if (range.test(minver)) {
        return minver;
      }
      minver = null;
      for (let i = 0; i < range.set.length; ++i) {
        const comparators = range.set[i];
        let setMin = null;
        comparators.forEach((comparator) => {
          const compver = new SemVer(comparator.semver.version);
          switch (comparator.operator) {
            case ">":
              if (compver.prerelease.length === 0) {
                compver.patch++;
              } else {
                compver.prerelease.push(0);
              }
              compver.raw = compver.format();
            /* fallthrough */
            case "":
            case ">=":
              if (!setMin || gt(compver, setMin)) {
                setMin = compver;
              }
              break;
            case "<":
            case "<=":
              break;
            /* istanbul ignore next */
            default:
              throw new Error(`Unexpected operation: ${comparator.operator}`);
          }
        });
        if (setMin && (!minver || gt(minver, setMin))) {
          minver = setMin;
        }
      }
      if (minver && range.test(minver)) {
        return minver;
      }
      return null;
    };
    module.exports = minVersion;
  }
});

// node_modules/semver/ranges/valid.js
var require_valid2 = __commonJS({
  "node_modules/semver/ranges/valid.js"(exports, module) {
    "use strict";
    var Range = require_range();
    var validRange = (range, options) => {
      try {
        return new Range(range, options).range || "*";
      } catch (er) {
        return null;
      }
    };
    module.exports = validRange;
  }
});

// node_modules/semver/ranges/outside.js
var require_outside = __commonJS({
  "node_modules/semver/ranges/outside.js"(exports, module) {
    "use strict";
    var SemVer = require_semver();
    var Comparator = require_comparator();
    var { ANY } = Comparator;
    var Range = require_range();
    var satisfies = require_satisfies();
    var gt = require_gt();
    var lt = require_lt();
    var lte = require_lte();
    var gte = require_gte();
    var outside = (version2, range, hilo, options) => {
      version2 = new SemVer(version2, options);
      range = new Range(range, options);
      let gtfn, ltefn, ltfn, comp, ecomp;
      switch (hilo) {
        case ">":
          gtfn = gt;
          ltefn = lte;
          ltfn = lt;
          comp = ">";
          ecomp = ">=";
          break;
        case "<":
          gtfn = lt;
          ltefn = gte;
          ltfn = gt;
          comp = "<";
          ecomp = "<=";
          break;
        default:
          throw new TypeError('Must provide a hilo val of "<" or ">"');
      }
      if (satisfies(version2, range, options)) {
        return false;
      }
      for (let i = 0; i < range.set.length; ++i) {
        const comparators = range.set[i];
        let high = null;
        let low = null;
        comparators.forEach((comparator) => {
          if (comparator.semver === ANY) {
            comparator = new Comparator(">=0.0.0");
          }
          high = high || comparator;
          low = low || comparator;
          if (gtfn(comparator.semver, high.semver, options)) {
            high = comparator;
          } else if (ltfn(comparator.semver, low.semver, options)) {
            low = comparator;
          }
        });
        if (high.operator === comp || high.operator === ecomp) {
          return false;
        }
        if ((!low.operator || low.operator === comp) && ltefn(version2, low.semver)) {
          return false;
        } else if (low.operator === ecomp && ltfn(version2, low.semver)) {
          return false;
        }
      }
      return true;
    };
    module.exports = outside;
  }
});

// node_modules/semver/ranges/gtr.js
var require_gtr = __commonJS({
  "node_modules/semver/ranges/gtr.js"(exports, module) {
    "use strict";
    var outside = require_outside();
    var gtr = (version2, range, options) => outside(version2, range, ">", options);
    module.exports = gtr;
  }
});

// node_modules/semver/ranges/ltr.js
var require_ltr = __commonJS({
  "node_modules/semver/ranges/ltr.js"(exports, module) {
    "use strict";
    var outside = require_outside();
    var ltr = (version2, range, options) => outside(version2, range, "<", options);
    module.exports = ltr;
  }
});

// node_modules/semver/ranges/intersects.js
var require_intersects = __commonJS({
  "node_modules/semver/ranges/intersects.js"(exports, module) {
    "use strict";
    var Range = require_range();
    var intersects2 = (r1, r2, options) => {
      r1 = new Range(r1, options);
      r2 = new Range(r2, options);
      return r1.intersects(r2, options);
    };
    module.exports = intersects2;
  }
});

// node_modules/semver/ranges/simplify.js
var require_simplify = __commonJS({
  "node_modules/semver/ranges/simplify.js"(exports, module) {
    "use strict";
    var satisfies = require_satisfies();
    var compare5 = require_compare();
    module.exports = (versions, range, options) => {
      const set2 = [];
      let first = null;
      let prev = null;
      const v = versions.sort((a, b) => compare5(a, b, options));
      for (const version2 of v) {
        const included = satisfies(version2, range, options);
        if (included) {
          prev = version2;
          if (!first) {
            first = version2;
          }
        } else {
          if (prev) {
            set2.push([first, prev]);
          }
          prev = null;
          first = null;
        }
      }
      if (first) {
        set2.push([first, null]);
      }
      const ranges2 = [];
      for (const [min, max] of set2) {
        if (min === max) {
          ranges2.push(min);
        } else if (!max && min === v[0]) {
          ranges2.push("*");
        } else if (!max) {
          ranges2.push(`>=${min}`);
        } else if (min === v[0]) {
          ranges2.push(`<=${max}`);
        } else {
          ranges2.push(`${min} - ${max}`);
        }
      }
      const simplified = ranges2.join(" || ");
      const original = typeof range.raw === "string" ? range.raw : String(range);
      return simplified.length < original.length ? simplified : range;
    };
  }
});

// node_modules/semver/ranges/subset.js
var require_subset = __commonJS({
  "node_modules/semver/ranges/subset.js"(exports, module) {
    "use strict";
    var Range = require_range();
    var Comparator = require_comparator();
    var { ANY } = Comparator;
    var satisfies = require_satisfies();
    var compare5 = require_compare();
    var subset = (sub, dom, options = {}) => {
      if (sub === dom) {
        return true;
      }
      sub = new Range(sub, options);
      dom = new Range(dom, options);
      let sawNonNull = false;
      OUTER: for (const simpleSub of sub.set) {
        for (const simpleDom of dom.set) {
          const isSub = simpleSubset(simpleSub, simpleDom, options);
          sawNonNull = sawNonNull || isSub !== null;
          if (isSub) {
            continue OUTER;
          }
        }
        if (sawNonNull) {
          return false;
        }
      }
      return true;
    };
    var minimumVersionWithPreRelease = [new Comparator(">=0.0.0-0")];
    var minimumVersion = [new Comparator(">=0.0.0")];
    var simpleSubset = (sub, dom, options) => {
      if (sub === dom) {
        return true;
      }
      if (sub.length === 1 && sub[0].semver === ANY) {
        if (dom.length === 1 && dom[0].semver === ANY) {
          return true;
        } else if (options.includePrerelease) {
          sub = minimumVersionWithPreRelease;
        } else {
          sub = minimumVersion;
        }
      }
      if (dom.length === 1 && dom[0].semver === ANY) {
        if (options.includePrerelease) {
          return true;
        } else {
          dom = minimumVersion;
        }
      }
      const eqSet = /* @__PURE__ */ new Set();
      let gt, lt;
      for (const c of sub) {
        if (c.operator === ">" || c.operator === ">=") {
          gt = higherGT(gt, c, options);
        } else if (c.operator === "<" || c.operator === "<=") {
          lt = lowerLT(lt, c, options);
        } else {
          eqSet.add(c.semver);
        }
      }
      if (eqSet.size > 1) {
        return null;
      }
      let gtltComp;
      if (gt && lt) {
        gtltComp = compare5(gt.semver, lt.semver, options);
        if (gtltComp > 0) {
          return null;
        } else if (gtltComp === 0 && (gt.operator !== ">=" || lt.operator !== "<=")) {
          return null;
        }
      }
      for (const eq of eqSet) {
        if (gt && !satisfies(eq, String(gt), options)) {
          return null;
        }
        if (lt && !satisfies(eq, String(lt), options)) {
          return null;
        }
        for (const c of dom) {
          if (!satisfies(eq, String(c), options)) {
            return false;
          }
        }
        return true;
      }
      let higher, lower;
      let hasDomLT, hasDomGT;
      let needDomLTPre = lt && !options.includePrerelease && lt.semver.prerelease.length ? lt.semver : false;
      let needDomGTPre = gt && !options.includePrerelease && gt.semver.prerelease.length ? gt.semver : false;
      if (needDomLTPre && needDomLTPre.prerelease.length === 1 && lt.operator === "<" && needDomLTPre.prerelease[0] === 0) {
        needDomLTPre = false;
      }
      for (const c of dom) {
        hasDomGT = hasDomGT || c.operator === ">" || c.operator === ">=";
        hasDomLT = hasDomLT || c.operator === "<" || c.operator === "<=";
        if (gt) {
          if (needDomGTPre) {
            if (c.semver.prerelease && c.semver.prerelease.length && c.semver.major === needDomGTPre.major && c.semver.minor === needDomGTPre.minor && c.semver.patch === needDomGTPre.patch) {
              needDomGTPre = false;
            }
          }
          if (c.operator === ">" || c.operator === ">=") {
            higher = higherGT(gt, c, options);
            if (higher === c && higher !== gt) {
              return false;
            }
          } else if (gt.operator === ">=" && !c.test(gt.semver)) {
            return false;
          }
        }
        if (lt) {
          if (needDomLTPre) {
            if (c.semver.prerelease && c.semver.prerelease.length && c.semver.major === needDomLTPre.major && c.semver.minor === needDomLTPre.minor && c.semver.patch === needDomLTPre.patch) {
              needDomLTPre = false;
            }
          }
          if (c.operator === "<" || c.operator === "<=") {
            lower = lowerLT(lt, c, options);
            if (lower === c && lower !== lt) {
              return false;
            }
          } else if (lt.operator === "<=" && !c.test(lt.semver)) {
            return false;
          }
        }
        if (!c.operator && (lt || gt) && gtltComp !== 0) {
          return false;
        }
      }
      if (gt && hasDomLT && !lt && gtltComp !== 0) {
        return false;
      }
      if (lt && hasDomGT && !gt && gtltComp !== 0) {
        return false;
      }
      if (needDomGTPre || needDomLTPre) {
        return false;
      }
      return true;
    };
    var higherGT = (a, b, options) => {
      if (!a) {
        return b;
      }
      const comp = compare5(a.semver, b.semver, options);
      return comp > 0 ? a : comp < 0 ? b : b.operator === ">" && a.operator === ">=" ? b : a;
    };
    var lowerLT = (a, b, options) => {
      if (!a) {
        return b;
      }
      const comp = compare5(a.semver, b.semver, options);
      return comp < 0 ? a : comp > 0 ? b : b.operator === "<" && a.operator === "<=" ? b : a;
    };
    module.exports = subset;
  }
});

// node_modules/semver/index.js
var require_semver2 = __commonJS({
  "node_modules/semver/index.js"(exports, module) {
    "use strict";
    var internalRe = require_re();
    var constants = require_constants();
    var SemVer = require_semver();
    var identifiers3 = require_identifiers();
    var parse3 = require_parse();
    var valid = require_valid();
    var clean = require_clean();
    var inc = require_inc();
    var diff = require_diff();
    var major = require_major();
    var minor = require_minor();
    var patch = require_patch();
    var prerelease = require_prerelease();
    var compare5 = require_compare();
    var rcompare = require_rcompare();
    var compareLoose = require_compare_loose();
    var compareBuild = require_compare_build();
    var sort = require_sort();
    var rsort = require_rsort();
    var gt = require_gt();
    var lt = require_lt();
    var eq = require_eq();
    var neq = require_neq();
    var gte = require_gte();
    var lte = require_lte();
    var cmp = require_cmp();
    var coerce = require_coerce();
    var truncate = require_truncate();
    var Comparator = require_comparator();
    var Range = require_range();
    var satisfies = require_satisfies();
    var toComparators = require_to_comparators();
    var maxSatisfying = require_max_satisfying();
    var minSatisfying = require_min_satisfying();
    var minVersion = require_min_version();
    var validRange = require_valid2();
    var outside = require_outside();
    var gtr = require_gtr();
    var ltr = require_ltr();
    var intersects2 = require_intersects();
    var simplifyRange = require_simplify();
    var subset = require_subset();
    module.exports = {
      parse: parse3,
      valid,
      clean,
      inc,
      diff,
      major,
      minor,
      patch,
      prerelease,
      compare: compare5,
      rcompare,
      compareLoose,
      compareBuild,
      sort,
      rsort,
      gt,
      lt,
      eq,
      neq,
      gte,
      lte,
      cmp,
      coerce,
      truncate,
      Comparator,
      Range,
      satisfies,
      toComparators,
      maxSatisfying,
      minSatisfying,
      minVersion,
      validRange,
      outside,
      gtr,
      ltr,
      intersects: intersects2,
      simplifyRange,
      subset,
      SemVer,
      re: internalRe.re,
      src: internalRe.src,
      tokens: internalRe.t,
      SEMVER_SPEC_VERSION: constants.SEMVER_SPEC_VERSION,
      RELEASE_TYPES: constants.RELEASE_TYPES,
      compareIdentifiers: identifiers3.compareIdentifiers,
      rcompareIdentifiers: identifiers3.rcompareIdentifiers
    };
  }
});

// src/resolver/api.ts
function apiKey({ group, version: version2, kind }) {
  return `${group}
${version2}
${kind}`;
}
function formatApi({ group, version: version2, kind }) {
  return `${kind} (${group}/${version2})`;
}
function formatApiKey(key2) {
  const [group = "", version2 = "", kind = ""] = key2.split("\n");
  return formatApi({ group, version: version2, kind });
}

// src/resolver/wording.ts
function describeEntry(entry) {
  if (entry.installed) return `${entry.name} (installed)`;
  const { name: name2, channel, catalog } = entry;
  return `${name2} (channel ${channel} of catalog ${catalog.name} in ${catalog.namespace})`;
}

// src/resolver/number-lists.ts
var NumberLists = class {
  heads;
  tails;
  values;
  followers;
  cells = 0;
  /** Keys are below `keys`; `expected`: how many numbers there will be in all lists, at least. */
  constructor(keys, expected2) {
    this.heads = new Int32Array(keys).fill(-1);
    this.tails = new Int32Array(keys).fill(-1);
    this.values = new Int32Array(expected2);
    this.followers = new Int32Array(expected2);
  }
  add(key2, value) {
    const cell = this.cells++;
    this.values = grown(this.values, cell);
    this.followers = grown(this.followers, cell);
    this.values[cell] = value;
    this.followers[cell] = -1;
    const tail = this.tails[key2] ?? -1;
    if (tail < 0) this.heads[key2] = cell;
    else this.followers[tail] = cell;
    this.tails[key2] = cell;
  }
  /** The first cell of a key's list; negative at its end. */
  first(key2) {
    return this.heads[key2] ?? -1;
  }
  next(cell) {
    return this.followers[cell] ?? -1;
  }
  at(cell) {
    return this.values[cell] ?? -1;
  }
};
function grown(numbers2, index) {
  if (index < numbers2.length) return numbers2;
  const larger = new Int32Array(Math.max(2 * numbers2.length, index + 1, 16));
  larger.set(numbers2);
  return larger;
}

// src/resolver/clauses.ts
var Clauses = class {
  heads;
  /** 0 when the tail holds literals, 1 when it holds variables that stand for their positive literal. */
  positives;
  tails = [];
  /** `expected`: how many there will be at least. */
  constructor(expected2) {
    this.heads = new Int32Array(expected2);
    this.positives = new Int32Array(expected2);
  }
  /** The next number, from 0. */
  add(head, tail, positive) {
    const clause = this.tails.push(tail) - 1;
    this.heads = grown(this.heads, clause);
    this.positives = grown(this.positives, clause);
    this.heads[clause] = head;
    this.positives[clause] = positive;
    return clause;
  }
  /** How many literals it has. */
  size(clause) {
    return (this.tails[clause]?.length ?? 0) + 1;
  }
  literal(clause, position) {
    if (position === 0) return this.heads[clause] ?? 0;
    const literal4 = this.tails[clause]?.[position - 1] ?? 0;
    return this.positives[clause] === 1 ? 2 * literal4 : literal4;
  }
  literals(clause) {
    return Array.from({ length: this.size(clause) }, (_, at) => this.literal(clause, at));
  }
};

// src/resolver/conflict-analysis.ts
function analyseConflict(conflict, given) {
  const { trail, levelOf, seen } = given;
  const levelAt = (index2) => levelOf[(trail[index2] ?? 0) >> 1] ?? 0;
  const antecedents = [conflict[0] ?? 0];
  const tail = [];
  const touched = [];
  let literals = conflict.slice(1);
  const current2 = literals.reduce((high, it) => Math.max(high, levelOf[it >> 1] ?? 0), 0);
  let open = 0;
  let index = trail.length;
  let head;
  while (head === void 0) {
    for (const literal4 of literals) {
      const variable = literal4 >> 1;
      if (seen[variable] === 1) continue;
      seen[variable] = 1;
      touched.push(variable);
      const level = levelOf[variable] ?? 0;
      if (level === 0) antecedents.push(3 * variable + 2);
      else if (level === current2) open++;
      else tail.push(literal4);
    }
    do
      index--;
    while (seen[(trail[index] ?? 0) >> 1] !== 1 || levelAt(index) !== current2);
    const implied = trail[index] ?? 0;
    open--;
    if (open === 0) head = implied ^ 1;
    else {
      const variable = implied >> 1;
      antecedents.push(given.referenceOf(variable));
      literals = given.reasonLiterals(variable);
    }
  }
  for (const variable of touched) seen[variable] = 0;
  return { head, tail, antecedents };
}

// src/resolver/proof.ts
function constraintsBehind(antecedents, proof) {
  const found2 = /* @__PURE__ */ new Set();
  const visited = /* @__PURE__ */ new Set();
  const pending = [...antecedents];
  for (let next = pending.pop(); next !== void 0; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const subject = Math.floor(next / 3);
    if (next % 3 === 1) {
      const group = proof.groups[subject];
      if (group !== void 0) found2.add(group.constraint);
    } else if (next % 3 === 2) {
      pending.push(proof.referenceOf(subject));
      for (const literal4 of proof.reasonLiterals(subject)) pending.push(3 * (literal4 >> 1) + 2);
    } else {
      const origin = proof.origins[subject];
      if (typeof origin === "number") found2.add(origin);
      else for (const antecedent of origin ?? []) pending.push(antecedent);
    }
  }
  return [...found2].sort((a, b) => a - b);
}

// src/resolver/watches.ts
var Watches = class {
  firsts;
  lasts;
  followers;
  positions;
  /** `clauses`: how many there will be at least. */
  constructor(literals, clauses) {
    this.firsts = new Int32Array(literals).fill(-1);
    this.lasts = new Int32Array(literals).fill(-1);
    this.followers = new Int32Array(2 * clauses);
    this.positions = new Int32Array(2 * clauses);
  }
  /** The first watch at a literal; negative when there is none. */
  first(literal4) {
    return this.firsts[literal4] ?? -1;
  }
  /** The next watch at the same literal; negative at the list's end. */
  next(watch) {
    return this.followers[watch] ?? -1;
  }
  /** Which of its clause's literals it is at. */
  position(watch) {
    return this.positions[watch] ?? 0;
  }
  add(watch, literal4, position) {
    this.followers = grown(this.followers, watch);
    this.positions = grown(this.positions, watch);
    this.positions[watch] = position;
    this.followers[watch] = -1;
    const last = this.lasts[literal4] ?? -1;
    if (last < 0) this.firsts[literal4] = watch;
    else this.followers[last] = watch;
    this.lasts[literal4] = watch;
  }
  /** Takes away the watch that comes after `before`, or the first one when that is negative. */
  removeAfter(before, literal4) {
    const watch = before < 0 ? this.first(literal4) : this.next(before);
    const after = this.next(watch);
    if (before < 0) this.firsts[literal4] = after;
    else this.followers[before] = after;
    if (after < 0) this.lasts[literal4] = before;
  }
};

// src/resolver/solver.ts
var conflictBudget = 2e4;
function solve(problem, budget = conflictBudget) {
  return new Solver(problem).run(budget);
}
var unassigned = 0;
var noReason = -1;
var Solver = class {
  constructor(problem) {
    this.problem = problem;
    const count = problem.variables;
    const expected2 = problem.constraints.length;
    this.clauses = new Clauses(expected2);
    this.watches = new Watches(2 * count, expected2);
    this.groupsOf = new NumberLists(count, count);
    this.dependenciesOf = new NumberLists(count, expected2);
    this.values = new Int8Array(count);
    this.levelOf = new Int32Array(count);
    this.reasons = new Int32Array(count).fill(noReason);
    this.forcedBy = new Int32Array(count);
    this.seen = new Uint8Array(count);
    this.picked = new Uint8Array(count);
    for (const anchor of problem.anchors) {
      this.choices.push({ candidates: [anchor], constraint: -1 });
    }
    problem.constraints.forEach((constraint, index) => this.add(constraint, index));
  }
  problem;
  clauses;
  /** What each clause stands on: `constraint` of the problem, or the antecedents of a learned one. */
  origins = [];
  watches;
  groups = [];
  groupsOf;
  dependenciesOf;
  /** 1 true, -1 false. */
  values;
  levelOf;
  /** Even: 2 × clause; odd: 2 × group + 1, forced by `forcedBy`. */
  reasons;
  forcedBy;
  seen;
  picked;
  trail = [];
  propagated = 0;
  levels = [];
  picks = [];
  choices = [];
  nextChoice = 0;
  conflicts = 0;
  /** Antecedents of a contradiction at level 0. */
  refutation;
  run(budget) {
    for (; ; ) {
      const conflict = this.refutation === void 0 ? this.propagate() : void 0;
      if (this.refutation !== void 0 || conflict !== void 0 && this.levels.length === 0) {
        this.refutation ??= this.antecedentsOfLevelZero(conflict ?? []);
        const core2 = constraintsBehind(this.refutation, this);
        return { kind: "contradiction", core: core2, conflicts: this.conflicts };
      }
      if (conflict !== void 0) {
        this.conflicts++;
        if (this.conflicts > budget) return { kind: "gave-up", conflicts: budget };
        this.learnFrom(conflict);
        continue;
      }
      if (this.nextChoice === this.choices.length) {
        return { kind: "solution", picks: this.picks, conflicts: this.conflicts };
      }
      this.choose();
    }
  }
  add(constraint, index) {
    switch (constraint.kind) {
      case "mandatory":
        this.addClause(2 * constraint.subject, [], 0, index);
        return;
      case "prohibited":
        this.addClause(2 * constraint.subject + 1, [], 0, index);
        return;
      case "conflict":
        this.addClause(2 * constraint.subject + 1, [2 * constraint.other + 1], 0, index);
        return;
      case "dependency":
        this.addClause(2 * constraint.subject + 1, constraint.candidates, 1, index);
        if (constraint.candidates.length > 0) {
          this.dependenciesOf.add(constraint.subject, index);
        }
        return;
      case "at-most-one": {
        const group = this.groups.push({ members: constraint.members, constraint: index }) - 1;
        for (const member of constraint.members) this.groupsOf.add(member, group);
      }
    }
  }
  /** At level 0 only, or with a learned clause whose head becomes true at once. */
  addClause(head, tail, positive, origin) {
    const index = this.clauses.add(head, tail, positive);
    this.origins.push(origin);
    if (tail.length === 0) {
      const value = this.value(head);
      if (value < 0) this.refutation ??= [3 * index, 3 * (head >> 1) + 2];
      else if (value === unassigned) this.assign(head, 2 * index);
      return index;
    }
    this.watches.add(2 * index, head, 0);
    this.watches.add(2 * index + 1, this.clauses.literal(index, 1), 1);
    return index;
  }
  value(literal4) {
    const value = this.values[literal4 >> 1] ?? 0;
    return literal4 & 1 ? -value : value;
  }
  assign(literal4, reason) {
    const variable = literal4 >> 1;
    this.values[variable] = literal4 & 1 ? -1 : 1;
    this.levelOf[variable] = this.levels.length;
    this.reasons[variable] = reason;
    this.trail.push(literal4);
  }
  /** The literals of a violated clause, all false, led by a reference to it; or undefined. */
  propagate() {
    while (this.propagated < this.trail.length) {
      const literal4 = this.trail[this.propagated++] ?? 0;
      const conflict = (literal4 & 1 ? void 0 : this.propagateGroups(literal4 >> 1)) ?? this.propagateClauses(literal4 ^ 1);
      if (conflict !== void 0) return conflict;
    }
    return void 0;
  }
  propagateGroups(variable) {
    const { groupsOf } = this;
    for (let cell = groupsOf.first(variable); cell >= 0; cell = groupsOf.next(cell)) {
      const group = groupsOf.at(cell);
      for (const member of this.groups[group]?.members ?? []) {
        if (member === variable) continue;
        const value = this.values[member] ?? 0;
        if (value > 0) return [3 * group + 1, 2 * variable + 1, 2 * member + 1];
        if (value === unassigned) {
          this.forcedBy[member] = variable;
          this.assign(2 * member + 1, 2 * group + 1);
        }
      }
    }
    return void 0;
  }
  propagateClauses(falsified) {
    const { clauses, watches } = this;
    let kept = -1;
    for (let watch = watches.first(falsified), next; watch >= 0; watch = next) {
      next = watches.next(watch);
      const clause = watch >> 1;
      const other = clauses.literal(clause, watches.position(watch ^ 1));
      const value = this.value(other);
      if (value <= 0 && this.moveWatch(watch, kept, falsified)) continue;
      kept = watch;
      if (value > 0) continue;
      if (value < 0) return [3 * clause, ...clauses.literals(clause)];
      this.assign(other, 2 * clause);
    }
    return void 0;
  }
  /**
   * Looks for a literal that is not false, going round from the one that just became false.
   *
   * @param before the watch before this one at `falsified`
   */
  moveWatch(watch, before, falsified) {
    const { clauses, watches } = this;
    const clause = watch >> 1;
    const size = clauses.size(clause);
    const from = watches.position(watch);
    const taken = watches.position(watch ^ 1);
    for (let step = 1; step < size; step++) {
      const position = (from + step) % size;
      if (position === taken) continue;
      const literal4 = clauses.literal(clause, position);
      if (this.value(literal4) < 0) continue;
      watches.removeAfter(before, falsified);
      watches.add(watch, literal4, position);
      return true;
    }
    return false;
  }
  /** Makes the next choice of the queue: skips it if a pick meets it, else picks its best candidate. */
  choose() {
    const choice = this.choices[this.nextChoice];
    if (choice === void 0) return;
    if (choice.candidates.some((candidate) => this.picked[candidate] === 1)) {
      this.nextChoice++;
      return;
    }
    const variable = choice.candidates.find((candidate) => (this.values[candidate] ?? 0) >= 0);
    if (variable === void 0) throw new Error("a choice without candidates survived propagation");
    this.levels.push({
      trail: this.trail.length,
      head: this.nextChoice,
      choices: this.choices.length
    });
    this.nextChoice++;
    this.picked[variable] = 1;
    this.picks.push(
      choice.constraint < 0 ? { variable } : { variable, constraint: choice.constraint }
    );
    const { dependenciesOf } = this;
    for (let cell = dependenciesOf.first(variable); cell >= 0; cell = dependenciesOf.next(cell)) {
      const index = dependenciesOf.at(cell);
      const constraint = this.problem.constraints[index];
      if (constraint?.kind !== "dependency") continue;
      this.choices.push({ candidates: constraint.candidates, constraint: index });
    }
    if (this.values[variable] === unassigned) this.assign(2 * variable, noReason);
  }
  learnFrom(conflict) {
    const { head, tail, antecedents } = analyseConflict(conflict, this);
    this.assertLearned(head, tail, antecedents);
  }
  assertLearned(head, tail, antecedents) {
    let level = 0;
    for (const [position, literal4] of tail.entries()) {
      const other = this.levelOf[literal4 >> 1] ?? 0;
      if (other <= level) continue;
      level = other;
      tail[position] = tail[0] ?? literal4;
      tail[0] = literal4;
    }
    this.jumpBack(level);
    const index = this.addClause(head, tail, 0, antecedents);
    if (tail.length > 0) this.assign(head, 2 * index);
  }
  jumpBack(level) {
    const state2 = this.levels[level];
    if (state2 === void 0) return;
    for (let index = state2.trail; index < this.trail.length; index++) {
      this.values[(this.trail[index] ?? 0) >> 1] = unassigned;
    }
    this.trail.length = state2.trail;
    this.propagated = state2.trail;
    for (const pick of this.picks.slice(level)) this.picked[pick.variable] = 0;
    this.picks.length = level;
    this.nextChoice = state2.head;
    this.choices.length = state2.choices;
    this.levels.length = level;
  }
  referenceOf(variable) {
    const reason = this.reasons[variable] ?? noReason;
    return reason & 1 ? 3 * (reason >> 1) + 1 : 3 * (reason >> 1);
  }
  /** The false literals that forced a variable. */
  reasonLiterals(variable) {
    const reason = this.reasons[variable] ?? noReason;
    if (reason < 0) return [];
    if (reason & 1) return [2 * (this.forcedBy[variable] ?? 0) + 1];
    return this.clauses.literals(reason >> 1).filter((it) => it >> 1 !== variable);
  }
  antecedentsOfLevelZero(conflict) {
    const [reference = 0, ...literals] = conflict;
    return [reference, ...literals.map((literal4) => 3 * (literal4 >> 1) + 2)];
  }
};

// src/resolver/minimal-core.ts
var trialBudget = 2e3;
function minimiseCore(problem, core2) {
  let kept = core2;
  for (const candidate of core2.toReversed()) {
    if (!kept.includes(candidate)) continue;
    const without = kept.filter((index) => index !== candidate);
    const solution = solve(restrict(problem, without), trialBudget);
    if (solution.kind !== "contradiction") continue;
    kept = solution.core.flatMap((position) => without[position] ?? []);
  }
  return kept;
}
function restrict(problem, indexes) {
  const numbers2 = /* @__PURE__ */ new Map();
  const renumber = (variable) => {
    let number2 = numbers2.get(variable);
    if (number2 === void 0) numbers2.set(variable, number2 = numbers2.size);
    return number2;
  };
  const constraints = indexes.flatMap((index) => {
    const constraint = problem.constraints[index];
    return constraint === void 0 ? [] : [rename(constraint, renumber)];
  });
  const anchors = problem.anchors.flatMap((anchor) => numbers2.get(anchor) ?? []);
  const mandatory = new Set(
    constraints.flatMap((it) => it.kind === "mandatory" ? [it.subject] : [])
  );
  return {
    variables: numbers2.size,
    constraints,
    anchors: anchors.filter((anchor) => mandatory.has(anchor))
  };
}
function rename(constraint, renumber) {
  switch (constraint.kind) {
    case "mandatory":
    case "prohibited":
      return { kind: constraint.kind, subject: renumber(constraint.subject) };
    case "dependency": {
      const subject = renumber(constraint.subject);
      return { kind: "dependency", subject, candidates: constraint.candidates.map(renumber) };
    }
    case "conflict": {
      const subject = renumber(constraint.subject);
      return { kind: "conflict", subject, other: renumber(constraint.other) };
    }
    case "at-most-one":
      return { kind: "at-most-one", members: constraint.members.map(renumber) };
  }
}

// src/resolver/predicate.ts
function matches(predicate, bundle, sourcePackage) {
  switch (predicate.kind) {
    case "gvk":
      return bundle.apis.includes(apiKey(predicate.api));
    case "package":
      return sourcePackage === predicate.name || bundle.packages.some(({ name: name2 }) => name2 === predicate.name);
    case "version": {
      const { includes } = predicate;
      return bundle.packages.some(({ version: version2 }) => version2 !== void 0 && includes(version2)) || bundle.version !== void 0 && includes(bundle.version);
    }
    case "label":
      return bundle.labels.includes(predicate.label);
    case "cel":
      return predicate.rule.holds(bundle.properties);
    case "all":
      return predicate.parts.every((part2) => matches(part2, bundle, sourcePackage));
    case "any":
      return predicate.parts.some((part2) => matches(part2, bundle, sourcePackage));
    case "not":
      return !predicate.parts.some((part2) => matches(part2, bundle, sourcePackage));
  }
}
function describePredicate(predicate) {
  switch (predicate.kind) {
    case "gvk": {
      const { group, version: version2, kind } = predicate.api;
      return `providing an API with group: ${group}, version: ${version2}, kind: ${kind}`;
    }
    case "package":
      return `with package: ${predicate.name}`;
    case "version":
      return `with version in range: ${predicate.range}`;
    case "label":
      return `with label: ${predicate.label}`;
    case "cel":
      return `with constraint: ${JSON.stringify(predicate.rule.text)} and message: ${JSON.stringify(predicate.message)}`;
    case "all":
      return predicate.parts.map(describePredicate).join(" and ");
    case "any":
      return predicate.parts.map(describePredicate).join(" or ");
    case "not":
      return predicate.parts.map(describePredicate).join(" and not ");
  }
}
function packagePredicate(name2, range, includes) {
  return {
    kind: "all",
    parts: [
      { kind: "package", name: name2 },
      { kind: "version", range, includes }
    ]
  };
}

// src/text/shortened.ts
function shortened(text4, most2) {
  if (text4.length <= most2) return text4;
  if (/^… \(\d{1,15} characters\)$/.test(text4.slice(most2))) return text4;
  return `${text4.slice(0, most2)}\u2026 (${text4.length} characters)`;
}
var longestQuoted = 600;
var longestMessage = 2e3;
function shortMessage(message) {
  if (message.length <= longestQuoted) return message;
  const parts2 = [];
  let from = 0;
  for (; ; ) {
    const open = opening(message, from);
    const close = open < 0 ? -1 : message.indexOf(message.charAt(open), open + 1);
    if (close < 0) break;
    parts2.push(
      message.slice(from, open + 1),
      shortened(message.slice(open + 1, close), longestQuoted),
      message.charAt(close)
    );
    from = close + 1;
  }
  parts2.push(message.slice(from));
  return shortened(parts2.join(""), longestMessage);
}
function opening(message, from) {
  const quote3 = /"|(?<!\w)'/g;
  quote3.lastIndex = from;
  return quote3.exec(message)?.index ?? -1;
}

// src/text/documents/error.ts
var InvalidInputError = class _InvalidInputError extends Error {
  constructor(code, message, where = {}, details = {}) {
    super(shortMessage(message));
    this.code = code;
    this.where = where;
    this.details = details;
  }
  code;
  where;
  details;
  name = "InvalidInputError";
  /** The same error in a file, or at a place that only the caller knows. */
  at(place) {
    return new _InvalidInputError(
      this.code,
      this.message,
      { ...place, ...this.where },
      this.details
    );
  }
  /** `file:line:column: $.path: message`, leaving out what is not known. */
  describe() {
    const { file, line, column, path } = this.where;
    const position = [
      file === "-" ? "<stdin>" : file,
      line,
      line === void 0 ? void 0 : column
    ].filter((part2) => part2 !== void 0).join(":");
    return [position, path, this.message].filter((part2) => part2 !== void 0 && part2 !== "").join(": ");
  }
};

// src/text/documents/json.ts
import { randomBytes as randomBytes2 } from "node:crypto";

// src/text/documents/value.ts
var NumberText = class _NumberText {
  constructor(text4) {
    this.text = text4;
  }
  text;
  /** The nearest double; ±Infinity past its range. */
  get value() {
    return Number(this.text);
  }
  /** Go's JSON decoder reads a literal without fraction and exponent as an integer, any other as a float. */
  get isIntegerLiteral() {
    return !/[.eE]/.test(this.text);
  }
  toString() {
    return this.text;
  }
  /** js-yaml tells a scalar that is a key from a map by this. */
  get [Symbol.toStringTag]() {
    return "NumberText";
  }
  /** Plain `JSON.stringify` gets the double; `stringifyJson` writes the text. */
  toJSON() {
    return _NumberText.replaceInJson === void 0 ? this.value : _NumberText.replaceInJson(this.text);
  }
  /** Set by `stringifyJson` for the length of one synchronous call. */
  static replaceInJson;
};
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}
function own(object, key2) {
  return Object.hasOwn(object, key2) ? object[key2] : void 0;
}

// src/text/documents/deep-json.ts
function writeDeepJson(root, indent = 0) {
  const parts2 = [];
  const open = [];
  const newline = () => {
    if (indent > 0) parts2.push("\n", " ".repeat(indent * open.length));
  };
  const begin = (value) => {
    const isList2 = Array.isArray(value);
    parts2.push(isList2 ? "[" : "{");
    open.push({
      keys: isList2 ? void 0 : Object.keys(value),
      value,
      next: 0,
      isEmpty: true
    });
  };
  const write = (value) => {
    if (value instanceof NumberText) parts2.push(value.text);
    else if (typeof value === "object" && value !== null) begin(value);
    else parts2.push(JSON.stringify(value) ?? "null");
  };
  write(plain(root, ""));
  for (let top = open.at(-1); top !== void 0; top = open.at(-1)) {
    const { keys, value } = top;
    const size = keys === void 0 ? value.length : keys.length;
    if (top.next === size) {
      open.pop();
      if (!top.isEmpty) newline();
      parts2.push(keys === void 0 ? "]" : "}");
      continue;
    }
    const key2 = keys === void 0 ? String(top.next) : keys[top.next];
    const item = plain(value[key2], key2);
    top.next++;
    if (keys !== void 0 && isLeftOut(item)) continue;
    if (!top.isEmpty) parts2.push(",");
    top.isEmpty = false;
    newline();
    if (keys !== void 0) parts2.push(JSON.stringify(key2), indent > 0 ? ": " : ":");
    write(item);
  }
  return parts2.join("");
}
function isLeftOut(value) {
  return value === void 0 || typeof value === "function" || typeof value === "symbol";
}
function plain(value, key2) {
  if (typeof value !== "object" || value === null || value instanceof NumberText) return value;
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value, key2) : value;
}

// src/text/documents/json-equal-parts.ts
import { randomBytes } from "node:crypto";
var mark = randomBytes(12).toString("hex");

// src/text/documents/limits.ts
var maxDepth = 1e4 + 10;
var limits = {
  maxBytes: 256 * 1024 * 1024,
  maxDepth,
  maxValues: Infinity,
  maxAliasNodes: 1e6
};

// src/text/documents/json.ts
var numberMark = randomBytes2(12).toString("hex");
var openMark = `"${numberMark}`;
function stringifyJson(value, indent) {
  let marked = false;
  NumberText.replaceInJson = (text4) => {
    marked = true;
    return numberMark + text4;
  };
  try {
    const json2 = JSON.stringify(value, void 0, indent) ?? "null";
    return marked ? json2.replaceAll(new RegExp(`"${numberMark}([^"]*)"`, "g"), "$1") : json2;
  } catch (error) {
    if (error instanceof RangeError) return writeDeepJson(value, indent);
    throw error;
  } finally {
    NumberText.replaceInJson = void 0;
  }
}

// src/text/documents/object-meta.ts
var ObjectMeta = class {
  constructor(fields) {
    this.fields = fields;
  }
  fields;
  get name() {
    return this.text("name");
  }
  /** Empty for what belongs to the cluster as a whole. */
  get namespace() {
    return this.text("namespace");
  }
  /** `namespace/name`, which no two objects of a kind share. */
  get key() {
    return `${this.namespace}/${this.name}`;
  }
  get uid() {
    return this.text("uid");
  }
  get resourceVersion() {
    return this.text("resourceVersion");
  }
  get generation() {
    const value = own(this.fields, "generation");
    if (value instanceof NumberText) return value.value;
    return typeof value === "number" ? value : 0;
  }
  /** Set as long as an object waits for its finalizers. */
  get deletionTimestamp() {
    const value = own(this.fields, "deletionTimestamp");
    return typeof value === "string" ? value : void 0;
  }
  get labels() {
    return this.texts("labels");
  }
  get annotations() {
    return this.texts("annotations");
  }
  label(name2) {
    const value = this.entry("labels", name2);
    return typeof value === "string" ? value : void 0;
  }
  annotation(name2) {
    const value = this.writtenAnnotation(name2);
    return typeof value === "string" ? value : void 0;
  }
  /** Whatever a file says there: no cluster has one that is not text. */
  writtenAnnotation(name2) {
    return this.entry("annotations", name2);
  }
  get ownerReferences() {
    return this.list("ownerReferences").map((reference) => ({
      apiVersion: textIn(reference, "apiVersion"),
      kind: textIn(reference, "kind"),
      name: textIn(reference, "name"),
      uid: textIn(reference, "uid")
    }));
  }
  get managedFields() {
    return this.list("managedFields");
  }
  text(field2) {
    return textIn(this.fields, field2);
  }
  entry(field2, name2) {
    const map2 = own(this.fields, field2);
    return isObject(map2) ? own(map2, name2) : void 0;
  }
  texts(field2) {
    const map2 = own(this.fields, field2);
    const entries = isObject(map2) ? Object.entries(map2) : [];
    return new Map(
      entries.filter((entry) => typeof entry[1] === "string")
    );
  }
  list(field2) {
    const list2 = own(this.fields, field2);
    return Array.isArray(list2) ? list2.filter(isObject) : [];
  }
};
var nothing = new ObjectMeta({});
function textIn(object, field2) {
  const value = own(object, field2);
  return typeof value === "string" ? value : "";
}

// src/text/documents/yaml.ts
import { randomBytes as randomBytes3 } from "node:crypto";

// node_modules/js-yaml/dist/js-yaml.mjs
function getDefaultExportFromCjs(x) {
  return x && x.__esModule && Object.prototype.hasOwnProperty.call(x, "default") ? x["default"] : x;
}
var jsYaml = {};
var loader = {};
var common = {};
var hasRequiredCommon;
function requireCommon() {
  if (hasRequiredCommon) return common;
  hasRequiredCommon = 1;
  function isNothing(subject) {
    return typeof subject === "undefined" || subject === null;
  }
  function isObject2(subject) {
    return typeof subject === "object" && subject !== null;
  }
  function toArray(sequence) {
    if (Array.isArray(sequence)) return sequence;
    else if (isNothing(sequence)) return [];
    return [sequence];
  }
  function extend(target, source) {
    if (source) {
      const sourceKeys = Object.keys(source);
      for (let index = 0, length = sourceKeys.length; index < length; index += 1) {
        const key2 = sourceKeys[index];
        target[key2] = source[key2];
      }
    }
    return target;
  }
  function repeat(string4, count) {
    let result = "";
    for (let cycle = 0; cycle < count; cycle += 1) {
      result += string4;
    }
    return result;
  }
  function isNegativeZero(number2) {
    return number2 === 0 && Number.NEGATIVE_INFINITY === 1 / number2;
  }
  common.isNothing = isNothing;
  common.isObject = isObject2;
  common.toArray = toArray;
  common.repeat = repeat;
  common.isNegativeZero = isNegativeZero;
  common.extend = extend;
  return common;
}
var exception;
var hasRequiredException;
function requireException() {
  if (hasRequiredException) return exception;
  hasRequiredException = 1;
  function formatError(exception2, compact) {
    let where = "";
    const message = exception2.reason || "(unknown reason)";
    if (!exception2.mark) return message;
    if (exception2.mark.name) {
      where += 'in "' + exception2.mark.name + '" ';
    }
    where += "(" + (exception2.mark.line + 1) + ":" + (exception2.mark.column + 1) + ")";
    if (!compact && exception2.mark.snippet) {
      where += "\n\n" + exception2.mark.snippet;
    }
    return message + " " + where;
  }
  function YAMLException2(reason, mark2) {
    Error.call(this);
    this.name = "YAMLException";
    this.reason = reason;
    this.mark = mark2;
    this.message = formatError(this, false);
    if (Error.captureStackTrace) {
      Error.captureStackTrace(this, this.constructor);
    } else {
      this.stack = new Error().stack || "";
    }
  }
  YAMLException2.prototype = Object.create(Error.prototype);
  YAMLException2.prototype.constructor = YAMLException2;
  YAMLException2.prototype.toString = function toString(compact) {
    return this.name + ": " + formatError(this, compact);
  };
  exception = YAMLException2;
  return exception;
}
var snippet;
var hasRequiredSnippet;
function requireSnippet() {
  if (hasRequiredSnippet) return snippet;
  hasRequiredSnippet = 1;
  const common2 = requireCommon();
  function getLine(buffer, lineStart, lineEnd, position, maxLineLength) {
    let head = "";
    let tail = "";
    const maxHalfLength = Math.floor(maxLineLength / 2) - 1;
    if (position - lineStart > maxHalfLength) {
      head = " ... ";
      lineStart = position - maxHalfLength + head.length;
    }
    if (lineEnd - position > maxHalfLength) {
      tail = " ...";
      lineEnd = position + maxHalfLength - tail.length;
    }
    return {
      str: head + buffer.slice(lineStart, lineEnd).replace(/\t/g, "\u2192") + tail,
      pos: position - lineStart + head.length
      // relative position
    };
  }
  function padStart(string4, max) {
    return common2.repeat(" ", max - string4.length) + string4;
  }
  function makeSnippet(mark2, options) {
    options = Object.create(options || null);
    if (!mark2.buffer) return null;
    if (!options.maxLength) options.maxLength = 79;
    if (typeof options.indent !== "number") options.indent = 1;
    if (typeof options.linesBefore !== "number") options.linesBefore = 3;
    if (typeof options.linesAfter !== "number") options.linesAfter = 2;
    const re = /\r?\n|\r|\0/g;
    const lineStarts = [0];
    const lineEnds = [];
    let match;
    let foundLineNo = -1;
    while (match = re.exec(mark2.buffer)) {
      lineEnds.push(match.index);
      lineStarts.push(match.index + match[0].length);
      if (mark2.position <= match.index && foundLineNo < 0) {
        foundLineNo = lineStarts.length - 2;
      }
    }
    if (foundLineNo < 0) foundLineNo = lineStarts.length - 1;
    let result = "";
    const lineNoLength = Math.min(mark2.line + options.linesAfter, lineEnds.length).toString().length;
    const maxLineLength = options.maxLength - (options.indent + lineNoLength + 3);
    for (let i = 1; i <= options.linesBefore; i++) {
      if (foundLineNo - i < 0) break;
      const line2 = getLine(
        mark2.buffer,
        lineStarts[foundLineNo - i],
        lineEnds[foundLineNo - i],
        mark2.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo - i]),
        maxLineLength
      );
      result = common2.repeat(" ", options.indent) + padStart((mark2.line - i + 1).toString(), lineNoLength) + " | " + line2.str + "\n" + result;
    }
    const line = getLine(mark2.buffer, lineStarts[foundLineNo], lineEnds[foundLineNo], mark2.position, maxLineLength);
    result += common2.repeat(" ", options.indent) + padStart((mark2.line + 1).toString(), lineNoLength) + " | " + line.str + "\n";
    result += common2.repeat("-", options.indent + lineNoLength + 3 + line.pos) + "^\n";
    for (let i = 1; i <= options.linesAfter; i++) {
      if (foundLineNo + i >= lineEnds.length) break;
      const line2 = getLine(
        mark2.buffer,
        lineStarts[foundLineNo + i],
        lineEnds[foundLineNo + i],
        mark2.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo + i]),
        maxLineLength
      );
      result += common2.repeat(" ", options.indent) + padStart((mark2.line + i + 1).toString(), lineNoLength) + " | " + line2.str + "\n";
    }
    return result.replace(/\n$/, "");
  }
  snippet = makeSnippet;
  return snippet;
}
var type;
var hasRequiredType;
function requireType() {
  if (hasRequiredType) return type;
  hasRequiredType = 1;
  const YAMLException2 = requireException();
  const TYPE_CONSTRUCTOR_OPTIONS = [
    "kind",
    "multi",
    "resolve",
    "construct",
    "instanceOf",
    "predicate",
    "represent",
    "representName",
    "defaultStyle",
    "styleAliases"
  ];
  const YAML_NODE_KINDS = [
    "scalar",
    "sequence",
    "mapping"
  ];
  function compileStyleAliases(map2) {
    const result = {};
    if (map2 !== null) {
      Object.keys(map2).forEach(function(style) {
        map2[style].forEach(function(alias) {
          result[String(alias)] = style;
        });
      });
    }
    return result;
  }
  function Type2(tag, options) {
    options = options || {};
    Object.keys(options).forEach(function(name2) {
      if (TYPE_CONSTRUCTOR_OPTIONS.indexOf(name2) === -1) {
        throw new YAMLException2('Unknown option "' + name2 + '" is met in definition of "' + tag + '" YAML type.');
      }
    });
    this.options = options;
    this.tag = tag;
    this.kind = options["kind"] || null;
    this.resolve = options["resolve"] || function() {
      return true;
    };
    this.construct = options["construct"] || function(data) {
      return data;
    };
    this.instanceOf = options["instanceOf"] || null;
    this.predicate = options["predicate"] || null;
    this.represent = options["represent"] || null;
    this.representName = options["representName"] || null;
    this.defaultStyle = options["defaultStyle"] || null;
    this.multi = options["multi"] || false;
    this.styleAliases = compileStyleAliases(options["styleAliases"] || null);
    if (YAML_NODE_KINDS.indexOf(this.kind) === -1) {
      throw new YAMLException2('Unknown kind "' + this.kind + '" is specified for "' + tag + '" YAML type.');
    }
  }
  type = Type2;
  return type;
}
var schema;
var hasRequiredSchema;
function requireSchema() {
  if (hasRequiredSchema) return schema;
  hasRequiredSchema = 1;
  const YAMLException2 = requireException();
  const Type2 = requireType();
  function compileList(schema2, name2) {
    const result = [];
    schema2[name2].forEach(function(currentType) {
      let newIndex = result.length;
      result.forEach(function(previousType, previousIndex) {
        if (previousType.tag === currentType.tag && previousType.kind === currentType.kind && previousType.multi === currentType.multi) {
          newIndex = previousIndex;
        }
      });
      result[newIndex] = currentType;
    });
    return result;
  }
  function compileMap() {
    const result = {
      scalar: {},
      sequence: {},
      mapping: {},
      fallback: {},
      multi: {
        scalar: [],
        sequence: [],
        mapping: [],
        fallback: []
      }
    };
    function collectType(type2) {
      if (type2.multi) {
        result.multi[type2.kind].push(type2);
        result.multi["fallback"].push(type2);
      } else {
        result[type2.kind][type2.tag] = result["fallback"][type2.tag] = type2;
      }
    }
    for (let index = 0, length = arguments.length; index < length; index += 1) {
      arguments[index].forEach(collectType);
    }
    return result;
  }
  function Schema2(definition) {
    return this.extend(definition);
  }
  Schema2.prototype.extend = function extend(definition) {
    let implicit = [];
    let explicit = [];
    if (definition instanceof Type2) {
      explicit.push(definition);
    } else if (Array.isArray(definition)) {
      explicit = explicit.concat(definition);
    } else if (definition && (Array.isArray(definition.implicit) || Array.isArray(definition.explicit))) {
      if (definition.implicit) implicit = implicit.concat(definition.implicit);
      if (definition.explicit) explicit = explicit.concat(definition.explicit);
    } else {
      throw new YAMLException2("Schema.extend argument should be a Type, [ Type ], or a schema definition ({ implicit: [...], explicit: [...] })");
    }
    implicit.forEach(function(type2) {
      if (!(type2 instanceof Type2)) {
        throw new YAMLException2("Specified list of YAML types (or a single Type object) contains a non-Type object.");
      }
      if (type2.loadKind && type2.loadKind !== "scalar") {
        throw new YAMLException2("There is a non-scalar type in the implicit list of a schema. Implicit resolving of such types is not supported.");
      }
      if (type2.multi) {
        throw new YAMLException2("There is a multi type in the implicit list of a schema. Multi tags can only be listed as explicit.");
      }
    });
    explicit.forEach(function(type2) {
      if (!(type2 instanceof Type2)) {
        throw new YAMLException2("Specified list of YAML types (or a single Type object) contains a non-Type object.");
      }
    });
    const result = Object.create(Schema2.prototype);
    result.implicit = (this.implicit || []).concat(implicit);
    result.explicit = (this.explicit || []).concat(explicit);
    result.compiledImplicit = compileList(result, "implicit");
    result.compiledExplicit = compileList(result, "explicit");
    result.compiledTypeMap = compileMap(result.compiledImplicit, result.compiledExplicit);
    return result;
  };
  schema = Schema2;
  return schema;
}
var str;
var hasRequiredStr;
function requireStr() {
  if (hasRequiredStr) return str;
  hasRequiredStr = 1;
  const Type2 = requireType();
  str = new Type2("tag:yaml.org,2002:str", {
    kind: "scalar",
    construct: function(data) {
      return data !== null ? data : "";
    }
  });
  return str;
}
var seq;
var hasRequiredSeq;
function requireSeq() {
  if (hasRequiredSeq) return seq;
  hasRequiredSeq = 1;
  const Type2 = requireType();
  seq = new Type2("tag:yaml.org,2002:seq", {
    kind: "sequence",
    construct: function(data) {
      return data !== null ? data : [];
    }
  });
  return seq;
}
var map;
var hasRequiredMap;
function requireMap() {
  if (hasRequiredMap) return map;
  hasRequiredMap = 1;
  const Type2 = requireType();
  map = new Type2("tag:yaml.org,2002:map", {
    kind: "mapping",
    construct: function(data) {
      return data !== null ? data : {};
    }
  });
  return map;
}
var failsafe;
var hasRequiredFailsafe;
function requireFailsafe() {
  if (hasRequiredFailsafe) return failsafe;
  hasRequiredFailsafe = 1;
  const Schema2 = requireSchema();
  failsafe = new Schema2({
    explicit: [
      requireStr(),
      requireSeq(),
      requireMap()
    ]
  });
  return failsafe;
}
var _null;
var hasRequired_null;
function require_null() {
  if (hasRequired_null) return _null;
  hasRequired_null = 1;
  const Type2 = requireType();
  function resolveYamlNull(data) {
    if (data === null) return true;
    const max = data.length;
    return max === 1 && data === "~" || max === 4 && (data === "null" || data === "Null" || data === "NULL");
  }
  function constructYamlNull() {
    return null;
  }
  function isNull(object) {
    return object === null;
  }
  _null = new Type2("tag:yaml.org,2002:null", {
    kind: "scalar",
    resolve: resolveYamlNull,
    construct: constructYamlNull,
    predicate: isNull,
    represent: {
      canonical: function() {
        return "~";
      },
      lowercase: function() {
        return "null";
      },
      uppercase: function() {
        return "NULL";
      },
      camelcase: function() {
        return "Null";
      },
      empty: function() {
        return "";
      }
    },
    defaultStyle: "lowercase"
  });
  return _null;
}
var bool;
var hasRequiredBool;
function requireBool() {
  if (hasRequiredBool) return bool;
  hasRequiredBool = 1;
  const Type2 = requireType();
  function resolveYamlBoolean(data) {
    if (data === null) return false;
    const max = data.length;
    return max === 4 && (data === "true" || data === "True" || data === "TRUE") || max === 5 && (data === "false" || data === "False" || data === "FALSE");
  }
  function constructYamlBoolean(data) {
    return data === "true" || data === "True" || data === "TRUE";
  }
  function isBoolean(object) {
    return Object.prototype.toString.call(object) === "[object Boolean]";
  }
  bool = new Type2("tag:yaml.org,2002:bool", {
    kind: "scalar",
    resolve: resolveYamlBoolean,
    construct: constructYamlBoolean,
    predicate: isBoolean,
    represent: {
      lowercase: function(object) {
        return object ? "true" : "false";
      },
      uppercase: function(object) {
        return object ? "TRUE" : "FALSE";
      },
      camelcase: function(object) {
        return object ? "True" : "False";
      }
    },
    defaultStyle: "lowercase"
  });
  return bool;
}
var int;
var hasRequiredInt;
function requireInt() {
  if (hasRequiredInt) return int;
  hasRequiredInt = 1;
  const common2 = requireCommon();
  const Type2 = requireType();
  function isHexCode(c) {
    return c >= 48 && c <= 57 || c >= 65 && c <= 70 || c >= 97 && c <= 102;
  }
  function isOctCode(c) {
    return c >= 48 && c <= 55;
  }
  function isDecCode(c) {
    return c >= 48 && c <= 57;
  }
  function resolveYamlInteger(data) {
    if (data === null) return false;
    const max = data.length;
    let index = 0;
    let hasDigits = false;
    if (!max) return false;
    let ch = data[index];
    if (ch === "-" || ch === "+") {
      ch = data[++index];
    }
    if (ch === "0") {
      if (index + 1 === max) return true;
      ch = data[++index];
      if (ch === "b") {
        index++;
        for (; index < max; index++) {
          ch = data[index];
          if (ch !== "0" && ch !== "1") return false;
          hasDigits = true;
        }
        return hasDigits && isFinite(parseYamlInteger(data));
      }
      if (ch === "x") {
        index++;
        for (; index < max; index++) {
          if (!isHexCode(data.charCodeAt(index))) return false;
          hasDigits = true;
        }
        return hasDigits && isFinite(parseYamlInteger(data));
      }
      if (ch === "o") {
        index++;
        for (; index < max; index++) {
          if (!isOctCode(data.charCodeAt(index))) return false;
          hasDigits = true;
        }
        return hasDigits && isFinite(parseYamlInteger(data));
      }
    }
    for (; index < max; index++) {
      if (!isDecCode(data.charCodeAt(index))) {
        return false;
      }
      hasDigits = true;
    }
    if (!hasDigits) return false;
    return isFinite(parseYamlInteger(data));
  }
  function parseYamlInteger(data) {
    let value = data;
    let sign = 1;
    let ch = value[0];
    if (ch === "-" || ch === "+") {
      if (ch === "-") sign = -1;
      value = value.slice(1);
      ch = value[0];
    }
    if (value === "0") return 0;
    if (ch === "0") {
      if (value[1] === "b") return sign * parseInt(value.slice(2), 2);
      if (value[1] === "x") return sign * parseInt(value.slice(2), 16);
      if (value[1] === "o") return sign * parseInt(value.slice(2), 8);
    }
    return sign * parseInt(value, 10);
  }
  function constructYamlInteger(data) {
    return parseYamlInteger(data);
  }
  function isInteger(object) {
    return Object.prototype.toString.call(object) === "[object Number]" && (object % 1 === 0 && !common2.isNegativeZero(object));
  }
  int = new Type2("tag:yaml.org,2002:int", {
    kind: "scalar",
    resolve: resolveYamlInteger,
    construct: constructYamlInteger,
    predicate: isInteger,
    represent: {
      binary: function(obj) {
        return obj >= 0 ? "0b" + obj.toString(2) : "-0b" + obj.toString(2).slice(1);
      },
      octal: function(obj) {
        return obj >= 0 ? "0o" + obj.toString(8) : "-0o" + obj.toString(8).slice(1);
      },
      decimal: function(obj) {
        return obj.toString(10);
      },
      hexadecimal: function(obj) {
        return obj >= 0 ? "0x" + obj.toString(16).toUpperCase() : "-0x" + obj.toString(16).toUpperCase().slice(1);
      }
    },
    defaultStyle: "decimal",
    styleAliases: {
      binary: [2, "bin"],
      octal: [8, "oct"],
      decimal: [10, "dec"],
      hexadecimal: [16, "hex"]
    }
  });
  return int;
}
var float;
var hasRequiredFloat;
function requireFloat() {
  if (hasRequiredFloat) return float;
  hasRequiredFloat = 1;
  const common2 = requireCommon();
  const Type2 = requireType();
  const YAML_FLOAT_PATTERN = new RegExp(
    // 2.5e4, 2.5 and integers
    "^(?:[-+]?(?:[0-9]+)(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$"
  );
  const YAML_FLOAT_SPECIAL_PATTERN = new RegExp(
    "^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$"
  );
  function resolveYamlFloat(data) {
    if (data === null) return false;
    if (!YAML_FLOAT_PATTERN.test(data)) {
      return false;
    }
    if (isFinite(parseFloat(data, 10))) {
      return true;
    }
    return YAML_FLOAT_SPECIAL_PATTERN.test(data);
  }
  function constructYamlFloat(data) {
    let value = data.toLowerCase();
    const sign = value[0] === "-" ? -1 : 1;
    if ("+-".indexOf(value[0]) >= 0) {
      value = value.slice(1);
    }
    if (value === ".inf") {
      return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    } else if (value === ".nan") {
      return NaN;
    }
    return sign * parseFloat(value, 10);
  }
  const SCIENTIFIC_WITHOUT_DOT = /^[-+]?[0-9]+e/;
  function representYamlFloat(object, style) {
    if (isNaN(object)) {
      switch (style) {
        case "lowercase":
          return ".nan";
        case "uppercase":
          return ".NAN";
        case "camelcase":
          return ".NaN";
      }
    } else if (Number.POSITIVE_INFINITY === object) {
      switch (style) {
        case "lowercase":
          return ".inf";
        case "uppercase":
          return ".INF";
        case "camelcase":
          return ".Inf";
      }
    } else if (Number.NEGATIVE_INFINITY === object) {
      switch (style) {
        case "lowercase":
          return "-.inf";
        case "uppercase":
          return "-.INF";
        case "camelcase":
          return "-.Inf";
      }
    } else if (common2.isNegativeZero(object)) {
      return "-0.0";
    }
    const res = object.toString(10);
    return SCIENTIFIC_WITHOUT_DOT.test(res) ? res.replace("e", ".e") : res;
  }
  function isFloat(object) {
    return Object.prototype.toString.call(object) === "[object Number]" && (object % 1 !== 0 || common2.isNegativeZero(object));
  }
  float = new Type2("tag:yaml.org,2002:float", {
    kind: "scalar",
    resolve: resolveYamlFloat,
    construct: constructYamlFloat,
    predicate: isFloat,
    represent: representYamlFloat,
    defaultStyle: "lowercase"
  });
  return float;
}
var json;
var hasRequiredJson;
function requireJson() {
  if (hasRequiredJson) return json;
  hasRequiredJson = 1;
  json = requireFailsafe().extend({
    implicit: [
      require_null(),
      requireBool(),
      requireInt(),
      requireFloat()
    ]
  });
  return json;
}
var core;
var hasRequiredCore;
function requireCore() {
  if (hasRequiredCore) return core;
  hasRequiredCore = 1;
  core = requireJson();
  return core;
}
var timestamp;
var hasRequiredTimestamp;
function requireTimestamp() {
  if (hasRequiredTimestamp) return timestamp;
  hasRequiredTimestamp = 1;
  const Type2 = requireType();
  const YAML_DATE_REGEXP = new RegExp(
    "^([0-9][0-9][0-9][0-9])-([0-9][0-9])-([0-9][0-9])$"
  );
  const YAML_TIMESTAMP_REGEXP = new RegExp(
    "^([0-9][0-9][0-9][0-9])-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \\t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])(?:\\.([0-9]*))?(?:[ \\t]*(Z|([-+])([0-9][0-9]?)(?::([0-9][0-9]))?))?$"
  );
  function resolveYamlTimestamp(data) {
    if (data === null) return false;
    if (YAML_DATE_REGEXP.exec(data) !== null) return true;
    if (YAML_TIMESTAMP_REGEXP.exec(data) !== null) return true;
    return false;
  }
  function constructYamlTimestamp(data) {
    let fraction = 0;
    let delta = null;
    let match = YAML_DATE_REGEXP.exec(data);
    if (match === null) match = YAML_TIMESTAMP_REGEXP.exec(data);
    if (match === null) throw new Error("Date resolve error");
    const year = +match[1];
    const month = +match[2] - 1;
    const day2 = +match[3];
    if (!match[4]) {
      return new Date(Date.UTC(year, month, day2));
    }
    const hour = +match[4];
    const minute = +match[5];
    const second3 = +match[6];
    if (match[7]) {
      fraction = match[7].slice(0, 3);
      while (fraction.length < 3) {
        fraction += "0";
      }
      fraction = +fraction;
    }
    if (match[9]) {
      const tzHour = +match[10];
      const tzMinute = +(match[11] || 0);
      delta = (tzHour * 60 + tzMinute) * 6e4;
      if (match[9] === "-") delta = -delta;
    }
    const date = new Date(Date.UTC(year, month, day2, hour, minute, second3, fraction));
    if (delta) date.setTime(date.getTime() - delta);
    return date;
  }
  function representYamlTimestamp(object) {
    return object.toISOString();
  }
  timestamp = new Type2("tag:yaml.org,2002:timestamp", {
    kind: "scalar",
    resolve: resolveYamlTimestamp,
    construct: constructYamlTimestamp,
    instanceOf: Date,
    represent: representYamlTimestamp
  });
  return timestamp;
}
var merge;
var hasRequiredMerge;
function requireMerge() {
  if (hasRequiredMerge) return merge;
  hasRequiredMerge = 1;
  const Type2 = requireType();
  function resolveYamlMerge(data) {
    return data === "<<" || data === null;
  }
  merge = new Type2("tag:yaml.org,2002:merge", {
    kind: "scalar",
    resolve: resolveYamlMerge
  });
  return merge;
}
var binary;
var hasRequiredBinary;
function requireBinary() {
  if (hasRequiredBinary) return binary;
  hasRequiredBinary = 1;
  const Type2 = requireType();
  const BASE64_MAP = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n\r";
  function resolveYamlBinary(data) {
    if (data === null) return false;
    let bitlen = 0;
    const max = data.length;
    const map2 = BASE64_MAP;
    for (let idx = 0; idx < max; idx++) {
      const code = map2.indexOf(data.charAt(idx));
      if (code > 64) continue;
      if (code < 0) return false;
      bitlen += 6;
    }
    return bitlen % 8 === 0;
  }
  function constructYamlBinary(data) {
    const input = data.replace(/[\r\n=]/g, "");
    const max = input.length;
    const map2 = BASE64_MAP;
    let bits = 0;
    const result = [];
    for (let idx = 0; idx < max; idx++) {
      if (idx % 4 === 0 && idx) {
        result.push(bits >> 16 & 255);
        result.push(bits >> 8 & 255);
        result.push(bits & 255);
      }
      bits = bits << 6 | map2.indexOf(input.charAt(idx));
    }
    const tailbits = max % 4 * 6;
    if (tailbits === 0) {
      result.push(bits >> 16 & 255);
      result.push(bits >> 8 & 255);
      result.push(bits & 255);
    } else if (tailbits === 18) {
      result.push(bits >> 10 & 255);
      result.push(bits >> 2 & 255);
    } else if (tailbits === 12) {
      result.push(bits >> 4 & 255);
    }
    return new Uint8Array(result);
  }
  function representYamlBinary(object) {
    let result = "";
    let bits = 0;
    const max = object.length;
    const map2 = BASE64_MAP;
    for (let idx = 0; idx < max; idx++) {
      if (idx % 3 === 0 && idx) {
        result += map2[bits >> 18 & 63];
        result += map2[bits >> 12 & 63];
        result += map2[bits >> 6 & 63];
        result += map2[bits & 63];
      }
      bits = (bits << 8) + object[idx];
    }
    const tail = max % 3;
    if (tail === 0) {
      result += map2[bits >> 18 & 63];
      result += map2[bits >> 12 & 63];
      result += map2[bits >> 6 & 63];
      result += map2[bits & 63];
    } else if (tail === 2) {
      result += map2[bits >> 10 & 63];
      result += map2[bits >> 4 & 63];
      result += map2[bits << 2 & 63];
      result += map2[64];
    } else if (tail === 1) {
      result += map2[bits >> 2 & 63];
      result += map2[bits << 4 & 63];
      result += map2[64];
      result += map2[64];
    }
    return result;
  }
  function isBinary(obj) {
    return Object.prototype.toString.call(obj) === "[object Uint8Array]";
  }
  binary = new Type2("tag:yaml.org,2002:binary", {
    kind: "scalar",
    resolve: resolveYamlBinary,
    construct: constructYamlBinary,
    predicate: isBinary,
    represent: representYamlBinary
  });
  return binary;
}
var omap;
var hasRequiredOmap;
function requireOmap() {
  if (hasRequiredOmap) return omap;
  hasRequiredOmap = 1;
  const Type2 = requireType();
  const _hasOwnProperty = Object.prototype.hasOwnProperty;
  const _toString = Object.prototype.toString;
  function resolveYamlOmap(data) {
    if (data === null) return true;
    const objectKeys = {};
    const object = data;
    for (let index = 0, length = object.length; index < length; index += 1) {
      const pair = object[index];
      let pairHasKey = false;
      if (_toString.call(pair) !== "[object Object]") return false;
      let pairKey;
      for (pairKey in pair) {
        if (_hasOwnProperty.call(pair, pairKey)) {
          if (!pairHasKey) pairHasKey = true;
          else return false;
        }
      }
      if (!pairHasKey) return false;
      if (_hasOwnProperty.call(objectKeys, pairKey)) return false;
      Object.defineProperty(objectKeys, pairKey, { value: true });
    }
    return true;
  }
  function constructYamlOmap(data) {
    return data !== null ? data : [];
  }
  omap = new Type2("tag:yaml.org,2002:omap", {
    kind: "sequence",
    resolve: resolveYamlOmap,
    construct: constructYamlOmap
  });
  return omap;
}
var pairs;
var hasRequiredPairs;
function requirePairs() {
  if (hasRequiredPairs) return pairs;
  hasRequiredPairs = 1;
  const Type2 = requireType();
  const _toString = Object.prototype.toString;
  function resolveYamlPairs(data) {
    if (data === null) return true;
    const object = data;
    const result = new Array(object.length);
    for (let index = 0, length = object.length; index < length; index += 1) {
      const pair = object[index];
      if (_toString.call(pair) !== "[object Object]") return false;
      const keys = Object.keys(pair);
      if (keys.length !== 1) return false;
      result[index] = [keys[0], pair[keys[0]]];
    }
    return true;
  }
  function constructYamlPairs(data) {
    if (data === null) return [];
    const object = data;
    const result = new Array(object.length);
    for (let index = 0, length = object.length; index < length; index += 1) {
      const pair = object[index];
      const keys = Object.keys(pair);
      result[index] = [keys[0], pair[keys[0]]];
    }
    return result;
  }
  pairs = new Type2("tag:yaml.org,2002:pairs", {
    kind: "sequence",
    resolve: resolveYamlPairs,
    construct: constructYamlPairs
  });
  return pairs;
}
var set;
var hasRequiredSet;
function requireSet() {
  if (hasRequiredSet) return set;
  hasRequiredSet = 1;
  const Type2 = requireType();
  const _hasOwnProperty = Object.prototype.hasOwnProperty;
  function resolveYamlSet(data) {
    if (data === null) return true;
    const object = data;
    for (const key2 in object) {
      if (_hasOwnProperty.call(object, key2)) {
        if (object[key2] !== null) return false;
      }
    }
    return true;
  }
  function constructYamlSet(data) {
    return data !== null ? data : {};
  }
  set = new Type2("tag:yaml.org,2002:set", {
    kind: "mapping",
    resolve: resolveYamlSet,
    construct: constructYamlSet
  });
  return set;
}
var _default;
var hasRequired_default;
function require_default() {
  if (hasRequired_default) return _default;
  hasRequired_default = 1;
  _default = requireCore().extend({
    implicit: [
      requireTimestamp(),
      requireMerge()
    ],
    explicit: [
      requireBinary(),
      requireOmap(),
      requirePairs(),
      requireSet()
    ]
  });
  return _default;
}
var hasRequiredLoader;
function requireLoader() {
  if (hasRequiredLoader) return loader;
  hasRequiredLoader = 1;
  const common2 = requireCommon();
  const YAMLException2 = requireException();
  const makeSnippet = requireSnippet();
  const DEFAULT_SCHEMA2 = require_default();
  const _hasOwnProperty = Object.prototype.hasOwnProperty;
  const CONTEXT_FLOW_IN = 1;
  const CONTEXT_FLOW_OUT = 2;
  const CONTEXT_BLOCK_IN = 3;
  const CONTEXT_BLOCK_OUT = 4;
  const CHOMPING_CLIP = 1;
  const CHOMPING_STRIP = 2;
  const CHOMPING_KEEP = 3;
  const PATTERN_NON_PRINTABLE = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;
  const PATTERN_NON_ASCII_LINE_BREAKS = /[\x85\u2028\u2029]/;
  const PATTERN_FLOW_INDICATORS = /[,\[\]{}]/;
  const PATTERN_TAG_HANDLE = /^(?:!|!!|![0-9A-Za-z-]+!)$/;
  const PATTERN_TAG_URI = /^(?:!|[^,\[\]{}])(?:%[0-9a-f]{2}|[0-9a-z\-#;/?:@&=+$,_.!~*'()\[\]])*$/i;
  function _class(obj) {
    return Object.prototype.toString.call(obj);
  }
  function isEol(c) {
    return c === 10 || c === 13;
  }
  function isWhiteSpace(c) {
    return c === 9 || c === 32;
  }
  function isWsOrEol(c) {
    return c === 9 || c === 32 || c === 10 || c === 13;
  }
  function isFlowIndicator(c) {
    return c === 44 || c === 91 || c === 93 || c === 123 || c === 125;
  }
  function fromHexCode(c) {
    if (c >= 48 && c <= 57) {
      return c - 48;
    }
    const lc = c | 32;
    if (lc >= 97 && lc <= 102) {
      return lc - 97 + 10;
    }
    return -1;
  }
  function escapedHexLen(c) {
    if (c === 120) {
      return 2;
    }
    if (c === 117) {
      return 4;
    }
    if (c === 85) {
      return 8;
    }
    return 0;
  }
  function fromDecimalCode(c) {
    if (c >= 48 && c <= 57) {
      return c - 48;
    }
    return -1;
  }
  function simpleEscapeSequence(c) {
    switch (c) {
      case 48:
        return "\0";
      case 97:
        return "\x07";
      case 98:
        return "\b";
      case 116:
        return "	";
      case 9:
        return "	";
      case 110:
        return "\n";
      case 118:
        return "\v";
      case 102:
        return "\f";
      case 114:
        return "\r";
      case 101:
        return "\x1B";
      case 32:
        return " ";
      case 34:
        return '"';
      case 47:
        return "/";
      case 92:
        return "\\";
      case 78:
        return "\x85";
      case 95:
        return "\xA0";
      case 76:
        return "\u2028";
      case 80:
        return "\u2029";
      default:
        return "";
    }
  }
  function charFromCodepoint(c) {
    if (c <= 65535) {
      return String.fromCharCode(c);
    }
    return String.fromCharCode(
      (c - 65536 >> 10) + 55296,
      (c - 65536 & 1023) + 56320
    );
  }
  function setProperty(object, key2, value) {
    if (key2 === "__proto__") {
      Object.defineProperty(object, key2, {
        configurable: true,
        enumerable: true,
        writable: true,
        value
      });
    } else {
      object[key2] = value;
    }
  }
  const simpleEscapeCheck = new Array(256);
  const simpleEscapeMap = new Array(256);
  for (let i = 0; i < 256; i++) {
    simpleEscapeCheck[i] = simpleEscapeSequence(i) ? 1 : 0;
    simpleEscapeMap[i] = simpleEscapeSequence(i);
  }
  function State(input, options) {
    this.input = input;
    this.filename = options["filename"] || null;
    this.schema = options["schema"] || DEFAULT_SCHEMA2;
    this.onWarning = options["onWarning"] || null;
    this.legacy = options["legacy"] || false;
    this.json = options["json"] || false;
    this.listener = options["listener"] || null;
    this.maxDepth = typeof options["maxDepth"] === "number" ? options["maxDepth"] : 100;
    this.maxTotalMergeKeys = typeof options["maxTotalMergeKeys"] === "number" ? options["maxTotalMergeKeys"] : 1e4;
    this.implicitTypes = this.schema.compiledImplicit;
    this.typeMap = this.schema.compiledTypeMap;
    this.length = input.length;
    this.position = 0;
    this.line = 0;
    this.lineStart = 0;
    this.lineIndent = 0;
    this.depth = 0;
    this.totalMergeKeys = 0;
    this.firstTabInLine = -1;
    this.documents = [];
    this.anchorMapTransactions = [];
  }
  function generateError(state2, message) {
    const mark2 = {
      name: state2.filename,
      buffer: state2.input.slice(0, -1),
      // omit trailing \0
      position: state2.position,
      line: state2.line,
      column: state2.position - state2.lineStart
    };
    mark2.snippet = makeSnippet(mark2);
    return new YAMLException2(message, mark2);
  }
  function throwError(state2, message) {
    throw generateError(state2, message);
  }
  function throwWarning(state2, message) {
    if (state2.onWarning) {
      state2.onWarning.call(null, generateError(state2, message));
    }
  }
  function storeAnchor(state2, name2, value) {
    const transactions = state2.anchorMapTransactions;
    if (transactions.length !== 0) {
      const transaction = transactions[transactions.length - 1];
      if (!_hasOwnProperty.call(transaction, name2)) {
        transaction[name2] = {
          existed: _hasOwnProperty.call(state2.anchorMap, name2),
          value: state2.anchorMap[name2]
        };
      }
    }
    state2.anchorMap[name2] = value;
  }
  function beginAnchorTransaction(state2) {
    state2.anchorMapTransactions.push(/* @__PURE__ */ Object.create(null));
  }
  function commitAnchorTransaction(state2) {
    const transaction = state2.anchorMapTransactions.pop();
    const transactions = state2.anchorMapTransactions;
    if (transactions.length === 0) return;
    const parent = transactions[transactions.length - 1];
    const names3 = Object.keys(transaction);
    for (let index = 0, length = names3.length; index < length; index += 1) {
      const name2 = names3[index];
      if (!_hasOwnProperty.call(parent, name2)) {
        parent[name2] = transaction[name2];
      }
    }
  }
  function rollbackAnchorTransaction(state2) {
    const transaction = state2.anchorMapTransactions.pop();
    const names3 = Object.keys(transaction);
    for (let index = names3.length - 1; index >= 0; index -= 1) {
      const entry = transaction[names3[index]];
      if (entry.existed) {
        state2.anchorMap[names3[index]] = entry.value;
      } else {
        delete state2.anchorMap[names3[index]];
      }
    }
  }
  function snapshotState(state2) {
    return {
      position: state2.position,
      line: state2.line,
      lineStart: state2.lineStart,
      lineIndent: state2.lineIndent,
      firstTabInLine: state2.firstTabInLine,
      tag: state2.tag,
      anchor: state2.anchor,
      kind: state2.kind,
      result: state2.result
    };
  }
  function restoreState(state2, snapshot) {
    state2.position = snapshot.position;
    state2.line = snapshot.line;
    state2.lineStart = snapshot.lineStart;
    state2.lineIndent = snapshot.lineIndent;
    state2.firstTabInLine = snapshot.firstTabInLine;
    state2.tag = snapshot.tag;
    state2.anchor = snapshot.anchor;
    state2.kind = snapshot.kind;
    state2.result = snapshot.result;
  }
  const directiveHandlers = {
    YAML: function handleYamlDirective(state2, name2, args) {
      if (state2.version !== null) {
        throwError(state2, "duplication of %YAML directive");
      }
      if (args.length !== 1) {
        throwError(state2, "YAML directive accepts exactly one argument");
      }
      const match = /^([0-9]+)\.([0-9]+)$/.exec(args[0]);
      if (match === null) {
        throwError(state2, "ill-formed argument of the YAML directive");
      }
      const major = parseInt(match[1], 10);
      const minor = parseInt(match[2], 10);
      if (major !== 1) {
        throwError(state2, "unacceptable YAML version of the document");
      }
      state2.version = args[0];
      state2.checkLineBreaks = minor < 2;
      if (minor !== 1 && minor !== 2) {
        throwWarning(state2, "unsupported YAML version of the document");
      }
    },
    TAG: function handleTagDirective(state2, name2, args) {
      let prefix;
      if (args.length !== 2) {
        throwError(state2, "TAG directive accepts exactly two arguments");
      }
      const handle = args[0];
      prefix = args[1];
      if (!PATTERN_TAG_HANDLE.test(handle)) {
        throwError(state2, "ill-formed tag handle (first argument) of the TAG directive");
      }
      if (_hasOwnProperty.call(state2.tagMap, handle)) {
        throwError(state2, 'there is a previously declared suffix for "' + handle + '" tag handle');
      }
      if (!PATTERN_TAG_URI.test(prefix)) {
        throwError(state2, "ill-formed tag prefix (second argument) of the TAG directive");
      }
      try {
        prefix = decodeURIComponent(prefix);
      } catch (err) {
        throwError(state2, "tag prefix is malformed: " + prefix);
      }
      state2.tagMap[handle] = prefix;
    }
  };
  function captureSegment(state2, start, end2, checkJson) {
    if (start < end2) {
      const _result = state2.input.slice(start, end2);
      if (checkJson) {
        for (let _position = 0, _length = _result.length; _position < _length; _position += 1) {
          const _character = _result.charCodeAt(_position);
          if (!(_character === 9 || _character >= 32 && _character <= 1114111)) {
            throwError(state2, "expected valid JSON character");
          }
        }
      } else if (PATTERN_NON_PRINTABLE.test(_result)) {
        throwError(state2, "the stream contains non-printable characters");
      }
      state2.result += _result;
    }
  }
  function chargeMergeWork(state2) {
    state2.totalMergeKeys++;
    if (state2.maxTotalMergeKeys !== -1 && state2.totalMergeKeys > state2.maxTotalMergeKeys) {
      throwError(state2, "merge keys exceeded maxTotalMergeKeys (" + state2.maxTotalMergeKeys + ")");
    }
  }
  function mergeMappings(state2, destination, source, overridableKeys) {
    if (!common2.isObject(source)) {
      throwError(state2, "cannot merge mappings; the provided source object is unacceptable");
    }
    chargeMergeWork(state2);
    const sourceKeys = Object.keys(source);
    for (let index = 0, quantity2 = sourceKeys.length; index < quantity2; index += 1) {
      const key2 = sourceKeys[index];
      chargeMergeWork(state2);
      if (!_hasOwnProperty.call(destination, key2)) {
        setProperty(destination, key2, source[key2]);
        overridableKeys[key2] = true;
      }
    }
  }
  function storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, valueNode, startLine, startLineStart, startPos) {
    if (Array.isArray(keyNode)) {
      keyNode = Array.prototype.slice.call(keyNode);
      for (let index = 0, quantity2 = keyNode.length; index < quantity2; index += 1) {
        if (Array.isArray(keyNode[index])) {
          throwError(state2, "nested arrays are not supported inside keys");
        }
        if (typeof keyNode === "object" && _class(keyNode[index]) === "[object Object]") {
          keyNode[index] = "[object Object]";
        }
      }
    }
    if (typeof keyNode === "object" && _class(keyNode) === "[object Object]") {
      keyNode = "[object Object]";
    }
    keyNode = String(keyNode);
    if (_result === null) {
      _result = {};
    }
    if (keyTag === "tag:yaml.org,2002:merge") {
      if (Array.isArray(valueNode)) {
        if (valueNode.length > 100) {
          throwError(state2, "abnormal merge sequence size");
        }
        for (let index = 0, quantity2 = valueNode.length; index < quantity2; index += 1) {
          mergeMappings(state2, _result, valueNode[index], overridableKeys);
        }
      } else {
        mergeMappings(state2, _result, valueNode, overridableKeys);
      }
    } else {
      if (!state2.json && !_hasOwnProperty.call(overridableKeys, keyNode) && _hasOwnProperty.call(_result, keyNode)) {
        state2.line = startLine || state2.line;
        state2.lineStart = startLineStart || state2.lineStart;
        state2.position = startPos || state2.position;
        throwError(state2, "duplicated mapping key");
      }
      setProperty(_result, keyNode, valueNode);
      delete overridableKeys[keyNode];
    }
    return _result;
  }
  function readLineBreak(state2) {
    const ch = state2.input.charCodeAt(state2.position);
    if (ch === 10) {
      state2.position++;
    } else if (ch === 13) {
      state2.position++;
      if (state2.input.charCodeAt(state2.position) === 10) {
        state2.position++;
      }
    } else {
      throwError(state2, "a line break is expected");
    }
    state2.line += 1;
    state2.lineStart = state2.position;
    state2.firstTabInLine = -1;
  }
  function skipSeparationSpace(state2, allowComments, checkIndent) {
    let lineBreaks = 0;
    let ch = state2.input.charCodeAt(state2.position);
    while (ch !== 0) {
      while (isWhiteSpace(ch)) {
        if (ch === 9 && state2.firstTabInLine === -1) {
          state2.firstTabInLine = state2.position;
        }
        ch = state2.input.charCodeAt(++state2.position);
      }
      if (allowComments && ch === 35) {
        do {
          ch = state2.input.charCodeAt(++state2.position);
        } while (ch !== 10 && ch !== 13 && ch !== 0);
      }
      if (isEol(ch)) {
        readLineBreak(state2);
        ch = state2.input.charCodeAt(state2.position);
        lineBreaks++;
        state2.lineIndent = 0;
        while (ch === 32) {
          state2.lineIndent++;
          ch = state2.input.charCodeAt(++state2.position);
        }
      } else {
        break;
      }
    }
    if (checkIndent !== -1 && lineBreaks !== 0 && state2.lineIndent < checkIndent) {
      throwWarning(state2, "deficient indentation");
    }
    return lineBreaks;
  }
  function testDocumentSeparator(state2) {
    let _position = state2.position;
    let ch = state2.input.charCodeAt(_position);
    if ((ch === 45 || ch === 46) && ch === state2.input.charCodeAt(_position + 1) && ch === state2.input.charCodeAt(_position + 2)) {
      _position += 3;
      ch = state2.input.charCodeAt(_position);
      if (ch === 0 || isWsOrEol(ch)) {
        return true;
      }
    }
    return false;
  }
  function writeFoldedLines(state2, count) {
    if (count === 1) {
      state2.result += " ";
    } else if (count > 1) {
      state2.result += common2.repeat("\n", count - 1);
    }
  }
  function readPlainScalar(state2, nodeIndent, withinFlowCollection) {
    let captureStart;
    let captureEnd;
    let hasPendingContent;
    let _line;
    let _lineStart;
    let _lineIndent;
    const _kind = state2.kind;
    const _result = state2.result;
    let ch = state2.input.charCodeAt(state2.position);
    if (isWsOrEol(ch) || isFlowIndicator(ch) || ch === 35 || ch === 38 || ch === 42 || ch === 33 || ch === 124 || ch === 62 || ch === 39 || ch === 34 || ch === 37 || ch === 64 || ch === 96) {
      return false;
    }
    if (ch === 63 || ch === 45) {
      const following = state2.input.charCodeAt(state2.position + 1);
      if (isWsOrEol(following) || withinFlowCollection && isFlowIndicator(following)) {
        return false;
      }
    }
    state2.kind = "scalar";
    state2.result = "";
    captureStart = captureEnd = state2.position;
    hasPendingContent = false;
    while (ch !== 0) {
      if (ch === 58) {
        const following = state2.input.charCodeAt(state2.position + 1);
        if (isWsOrEol(following) || withinFlowCollection && isFlowIndicator(following)) {
          break;
        }
      } else if (ch === 35) {
        const preceding = state2.input.charCodeAt(state2.position - 1);
        if (isWsOrEol(preceding)) {
          break;
        }
      } else if (state2.position === state2.lineStart && testDocumentSeparator(state2) || withinFlowCollection && isFlowIndicator(ch)) {
        break;
      } else if (isEol(ch)) {
        _line = state2.line;
        _lineStart = state2.lineStart;
        _lineIndent = state2.lineIndent;
        skipSeparationSpace(state2, false, -1);
        if (state2.lineIndent >= nodeIndent) {
          hasPendingContent = true;
          ch = state2.input.charCodeAt(state2.position);
          continue;
        } else {
          state2.position = captureEnd;
          state2.line = _line;
          state2.lineStart = _lineStart;
          state2.lineIndent = _lineIndent;
          break;
        }
      }
      if (hasPendingContent) {
        captureSegment(state2, captureStart, captureEnd, false);
        writeFoldedLines(state2, state2.line - _line);
        captureStart = captureEnd = state2.position;
        hasPendingContent = false;
      }
      if (!isWhiteSpace(ch)) {
        captureEnd = state2.position + 1;
      }
      ch = state2.input.charCodeAt(++state2.position);
    }
    captureSegment(state2, captureStart, captureEnd, false);
    if (state2.result) {
      return true;
    }
    state2.kind = _kind;
    state2.result = _result;
    return false;
  }
  function readSingleQuotedScalar(state2, nodeIndent) {
    let captureStart;
    let captureEnd;
    let ch = state2.input.charCodeAt(state2.position);
    if (ch !== 39) {
      return false;
    }
    state2.kind = "scalar";
    state2.result = "";
    state2.position++;
    captureStart = captureEnd = state2.position;
    while ((ch = state2.input.charCodeAt(state2.position)) !== 0) {
      if (ch === 39) {
        captureSegment(state2, captureStart, state2.position, true);
        ch = state2.input.charCodeAt(++state2.position);
        if (ch === 39) {
          captureStart = state2.position;
          state2.position++;
          captureEnd = state2.position;
        } else {
          return true;
        }
      } else if (isEol(ch)) {
        captureSegment(state2, captureStart, captureEnd, true);
        writeFoldedLines(state2, skipSeparationSpace(state2, false, nodeIndent));
        captureStart = captureEnd = state2.position;
      } else if (state2.position === state2.lineStart && testDocumentSeparator(state2)) {
        throwError(state2, "unexpected end of the document within a single quoted scalar");
      } else {
        state2.position++;
        if (!isWhiteSpace(ch)) {
          captureEnd = state2.position;
        }
      }
    }
    throwError(state2, "unexpected end of the stream within a single quoted scalar");
  }
  function readDoubleQuotedScalar(state2, nodeIndent) {
    let captureStart;
    let captureEnd;
    let tmp;
    let ch = state2.input.charCodeAt(state2.position);
    if (ch !== 34) {
      return false;
    }
    state2.kind = "scalar";
    state2.result = "";
    state2.position++;
    captureStart = captureEnd = state2.position;
    while ((ch = state2.input.charCodeAt(state2.position)) !== 0) {
      if (ch === 34) {
        captureSegment(state2, captureStart, state2.position, true);
        state2.position++;
        return true;
      } else if (ch === 92) {
        captureSegment(state2, captureStart, state2.position, true);
        ch = state2.input.charCodeAt(++state2.position);
        if (isEol(ch)) {
          skipSeparationSpace(state2, false, nodeIndent);
        } else if (ch < 256 && simpleEscapeCheck[ch]) {
          state2.result += simpleEscapeMap[ch];
          state2.position++;
        } else if ((tmp = escapedHexLen(ch)) > 0) {
          let hexLength = tmp;
          let hexResult = 0;
          for (; hexLength > 0; hexLength--) {
            ch = state2.input.charCodeAt(++state2.position);
            if ((tmp = fromHexCode(ch)) >= 0) {
              hexResult = (hexResult << 4) + tmp;
            } else {
              throwError(state2, "expected hexadecimal character");
            }
          }
          state2.result += charFromCodepoint(hexResult);
          state2.position++;
        } else {
          throwError(state2, "unknown escape sequence");
        }
        captureStart = captureEnd = state2.position;
      } else if (isEol(ch)) {
        captureSegment(state2, captureStart, captureEnd, true);
        writeFoldedLines(state2, skipSeparationSpace(state2, false, nodeIndent));
        captureStart = captureEnd = state2.position;
      } else if (state2.position === state2.lineStart && testDocumentSeparator(state2)) {
        throwError(state2, "unexpected end of the document within a double quoted scalar");
      } else {
        state2.position++;
        if (!isWhiteSpace(ch)) {
          captureEnd = state2.position;
        }
      }
    }
    throwError(state2, "unexpected end of the stream within a double quoted scalar");
  }
  function readFlowCollection(state2, nodeIndent) {
    let readNext = true;
    let _line;
    let _lineStart;
    let _pos;
    const _tag = state2.tag;
    let _result;
    const _anchor = state2.anchor;
    let terminator;
    let isPair;
    let isExplicitPair;
    let isMapping;
    const overridableKeys = /* @__PURE__ */ Object.create(null);
    let keyNode;
    let keyTag;
    let valueNode;
    let ch = state2.input.charCodeAt(state2.position);
    if (ch === 91) {
      terminator = 93;
      isMapping = false;
      _result = [];
    } else if (ch === 123) {
      terminator = 125;
      isMapping = true;
      _result = {};
    } else {
      return false;
    }
    if (state2.anchor !== null) {
      storeAnchor(state2, state2.anchor, _result);
    }
    ch = state2.input.charCodeAt(++state2.position);
    while (ch !== 0) {
      skipSeparationSpace(state2, true, nodeIndent);
      ch = state2.input.charCodeAt(state2.position);
      if (ch === terminator) {
        state2.position++;
        state2.tag = _tag;
        state2.anchor = _anchor;
        state2.kind = isMapping ? "mapping" : "sequence";
        state2.result = _result;
        return true;
      } else if (!readNext) {
        throwError(state2, "missed comma between flow collection entries");
      } else if (ch === 44) {
        throwError(state2, "expected the node content, but found ','");
      }
      keyTag = keyNode = valueNode = null;
      isPair = isExplicitPair = false;
      if (ch === 63) {
        const following = state2.input.charCodeAt(state2.position + 1);
        if (isWsOrEol(following)) {
          isPair = isExplicitPair = true;
          state2.position++;
          skipSeparationSpace(state2, true, nodeIndent);
        }
      }
      _line = state2.line;
      _lineStart = state2.lineStart;
      _pos = state2.position;
      composeNode(state2, nodeIndent, CONTEXT_FLOW_IN, false, true);
      keyTag = state2.tag;
      keyNode = state2.result;
      skipSeparationSpace(state2, true, nodeIndent);
      ch = state2.input.charCodeAt(state2.position);
      if ((isExplicitPair || state2.line === _line) && ch === 58) {
        isPair = true;
        ch = state2.input.charCodeAt(++state2.position);
        skipSeparationSpace(state2, true, nodeIndent);
        composeNode(state2, nodeIndent, CONTEXT_FLOW_IN, false, true);
        valueNode = state2.result;
      }
      if (isMapping) {
        storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, valueNode, _line, _lineStart, _pos);
      } else if (isPair) {
        _result.push(storeMappingPair(state2, null, overridableKeys, keyTag, keyNode, valueNode, _line, _lineStart, _pos));
      } else {
        _result.push(keyNode);
      }
      skipSeparationSpace(state2, true, nodeIndent);
      ch = state2.input.charCodeAt(state2.position);
      if (ch === 44) {
        readNext = true;
        ch = state2.input.charCodeAt(++state2.position);
      } else {
        readNext = false;
      }
    }
    throwError(state2, "unexpected end of the stream within a flow collection");
  }
  function readBlockScalar(state2, nodeIndent) {
    let folding;
    let chomping = CHOMPING_CLIP;
    let didReadContent = false;
    let detectedIndent = false;
    let textIndent = nodeIndent;
    let emptyLines = 0;
    let atMoreIndented = false;
    let tmp;
    let ch = state2.input.charCodeAt(state2.position);
    if (ch === 124) {
      folding = false;
    } else if (ch === 62) {
      folding = true;
    } else {
      return false;
    }
    state2.kind = "scalar";
    state2.result = "";
    while (ch !== 0) {
      ch = state2.input.charCodeAt(++state2.position);
      if (ch === 43 || ch === 45) {
        if (CHOMPING_CLIP === chomping) {
          chomping = ch === 43 ? CHOMPING_KEEP : CHOMPING_STRIP;
        } else {
          throwError(state2, "repeat of a chomping mode identifier");
        }
      } else if ((tmp = fromDecimalCode(ch)) >= 0) {
        if (tmp === 0) {
          throwError(state2, "bad explicit indentation width of a block scalar; it cannot be less than one");
        } else if (!detectedIndent) {
          textIndent = nodeIndent + tmp - 1;
          detectedIndent = true;
        } else {
          throwError(state2, "repeat of an indentation width identifier");
        }
      } else {
        break;
      }
    }
    if (isWhiteSpace(ch)) {
      do {
        ch = state2.input.charCodeAt(++state2.position);
      } while (isWhiteSpace(ch));
      if (ch === 35) {
        do {
          ch = state2.input.charCodeAt(++state2.position);
        } while (!isEol(ch) && ch !== 0);
      }
    }
    while (ch !== 0) {
      readLineBreak(state2);
      state2.lineIndent = 0;
      ch = state2.input.charCodeAt(state2.position);
      while ((!detectedIndent || state2.lineIndent < textIndent) && ch === 32) {
        state2.lineIndent++;
        ch = state2.input.charCodeAt(++state2.position);
      }
      if (!detectedIndent && state2.lineIndent > textIndent) {
        textIndent = state2.lineIndent;
      }
      if (isEol(ch)) {
        emptyLines++;
        continue;
      }
      if (!detectedIndent && textIndent === 0) {
        throwError(state2, "missing indentation for block scalar");
      }
      if (state2.lineIndent < textIndent) {
        if (chomping === CHOMPING_KEEP) {
          state2.result += common2.repeat("\n", didReadContent ? 1 + emptyLines : emptyLines);
        } else if (chomping === CHOMPING_CLIP) {
          if (didReadContent) {
            state2.result += "\n";
          }
        }
        break;
      }
      if (folding) {
        if (isWhiteSpace(ch)) {
          atMoreIndented = true;
          state2.result += common2.repeat("\n", didReadContent ? 1 + emptyLines : emptyLines);
        } else if (atMoreIndented) {
          atMoreIndented = false;
          state2.result += common2.repeat("\n", emptyLines + 1);
        } else if (emptyLines === 0) {
          if (didReadContent) {
            state2.result += " ";
          }
        } else {
          state2.result += common2.repeat("\n", emptyLines);
        }
      } else {
        state2.result += common2.repeat("\n", didReadContent ? 1 + emptyLines : emptyLines);
      }
      didReadContent = true;
      detectedIndent = true;
      emptyLines = 0;
      const captureStart = state2.position;
      while (!isEol(ch) && ch !== 0) {
        ch = state2.input.charCodeAt(++state2.position);
      }
      captureSegment(state2, captureStart, state2.position, false);
    }
    return true;
  }
  function readBlockSequence(state2, nodeIndent) {
    const _tag = state2.tag;
    const _anchor = state2.anchor;
    const _result = [];
    let detected = false;
    if (state2.firstTabInLine !== -1) return false;
    if (state2.anchor !== null) {
      storeAnchor(state2, state2.anchor, _result);
    }
    let ch = state2.input.charCodeAt(state2.position);
    while (ch !== 0) {
      if (state2.firstTabInLine !== -1) {
        state2.position = state2.firstTabInLine;
        throwError(state2, "tab characters must not be used in indentation");
      }
      if (ch !== 45) {
        break;
      }
      const following = state2.input.charCodeAt(state2.position + 1);
      if (!isWsOrEol(following)) {
        break;
      }
      detected = true;
      state2.position++;
      if (skipSeparationSpace(state2, true, -1)) {
        if (state2.lineIndent <= nodeIndent) {
          _result.push(null);
          ch = state2.input.charCodeAt(state2.position);
          continue;
        }
      }
      const _line = state2.line;
      composeNode(state2, nodeIndent, CONTEXT_BLOCK_IN, false, true);
      _result.push(state2.result);
      skipSeparationSpace(state2, true, -1);
      ch = state2.input.charCodeAt(state2.position);
      if ((state2.line === _line || state2.lineIndent > nodeIndent) && ch !== 0) {
        throwError(state2, "bad indentation of a sequence entry");
      } else if (state2.lineIndent < nodeIndent) {
        break;
      }
    }
    if (detected) {
      state2.tag = _tag;
      state2.anchor = _anchor;
      state2.kind = "sequence";
      state2.result = _result;
      return true;
    }
    return false;
  }
  function readBlockMapping(state2, nodeIndent, flowIndent) {
    let allowCompact;
    let _keyLine;
    let _keyLineStart;
    let _keyPos;
    const _tag = state2.tag;
    const _anchor = state2.anchor;
    const _result = {};
    const overridableKeys = /* @__PURE__ */ Object.create(null);
    let keyTag = null;
    let keyNode = null;
    let valueNode = null;
    let atExplicitKey = false;
    let detected = false;
    if (state2.firstTabInLine !== -1) return false;
    if (state2.anchor !== null) {
      storeAnchor(state2, state2.anchor, _result);
    }
    let ch = state2.input.charCodeAt(state2.position);
    while (ch !== 0) {
      if (!atExplicitKey && state2.firstTabInLine !== -1) {
        state2.position = state2.firstTabInLine;
        throwError(state2, "tab characters must not be used in indentation");
      }
      const following = state2.input.charCodeAt(state2.position + 1);
      const _line = state2.line;
      if ((ch === 63 || ch === 58) && isWsOrEol(following)) {
        if (ch === 63) {
          if (atExplicitKey) {
            storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, null, _keyLine, _keyLineStart, _keyPos);
            keyTag = keyNode = valueNode = null;
          }
          detected = true;
          atExplicitKey = true;
          allowCompact = true;
        } else if (atExplicitKey) {
          atExplicitKey = false;
          allowCompact = true;
        } else {
          throwError(state2, "incomplete explicit mapping pair; a key node is missed; or followed by a non-tabulated empty line");
        }
        state2.position += 1;
        ch = following;
      } else {
        _keyLine = state2.line;
        _keyLineStart = state2.lineStart;
        _keyPos = state2.position;
        if (!composeNode(state2, flowIndent, CONTEXT_FLOW_OUT, false, true)) {
          break;
        }
        if (state2.line === _line) {
          ch = state2.input.charCodeAt(state2.position);
          while (isWhiteSpace(ch)) {
            ch = state2.input.charCodeAt(++state2.position);
          }
          if (ch === 58) {
            ch = state2.input.charCodeAt(++state2.position);
            if (!isWsOrEol(ch)) {
              throwError(state2, "a whitespace character is expected after the key-value separator within a block mapping");
            }
            if (atExplicitKey) {
              storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, null, _keyLine, _keyLineStart, _keyPos);
              keyTag = keyNode = valueNode = null;
            }
            detected = true;
            atExplicitKey = false;
            allowCompact = false;
            keyTag = state2.tag;
            keyNode = state2.result;
          } else if (detected) {
            throwError(state2, "can not read an implicit mapping pair; a colon is missed");
          } else {
            state2.tag = _tag;
            state2.anchor = _anchor;
            return true;
          }
        } else if (detected) {
          throwError(state2, "can not read a block mapping entry; a multiline key may not be an implicit key");
        } else {
          state2.tag = _tag;
          state2.anchor = _anchor;
          return true;
        }
      }
      if (state2.line === _line || state2.lineIndent > nodeIndent) {
        if (atExplicitKey) {
          _keyLine = state2.line;
          _keyLineStart = state2.lineStart;
          _keyPos = state2.position;
        }
        if (composeNode(state2, nodeIndent, CONTEXT_BLOCK_OUT, true, allowCompact)) {
          if (atExplicitKey) {
            keyNode = state2.result;
          } else {
            valueNode = state2.result;
          }
        }
        if (!atExplicitKey) {
          storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, valueNode, _keyLine, _keyLineStart, _keyPos);
          keyTag = keyNode = valueNode = null;
        }
        skipSeparationSpace(state2, true, -1);
        ch = state2.input.charCodeAt(state2.position);
      }
      if ((state2.line === _line || state2.lineIndent > nodeIndent) && ch !== 0) {
        throwError(state2, "bad indentation of a mapping entry");
      } else if (state2.lineIndent < nodeIndent) {
        break;
      }
    }
    if (atExplicitKey) {
      storeMappingPair(state2, _result, overridableKeys, keyTag, keyNode, null, _keyLine, _keyLineStart, _keyPos);
    }
    if (detected) {
      state2.tag = _tag;
      state2.anchor = _anchor;
      state2.kind = "mapping";
      state2.result = _result;
    }
    return detected;
  }
  function readTagProperty(state2) {
    let isVerbatim = false;
    let isNamed = false;
    let tagHandle;
    let tagName;
    let ch = state2.input.charCodeAt(state2.position);
    if (ch !== 33) return false;
    if (state2.tag !== null) {
      throwError(state2, "duplication of a tag property");
    }
    ch = state2.input.charCodeAt(++state2.position);
    if (ch === 60) {
      isVerbatim = true;
      ch = state2.input.charCodeAt(++state2.position);
    } else if (ch === 33) {
      isNamed = true;
      tagHandle = "!!";
      ch = state2.input.charCodeAt(++state2.position);
    } else {
      tagHandle = "!";
    }
    let _position = state2.position;
    if (isVerbatim) {
      do {
        ch = state2.input.charCodeAt(++state2.position);
      } while (ch !== 0 && ch !== 62);
      if (state2.position < state2.length) {
        tagName = state2.input.slice(_position, state2.position);
        ch = state2.input.charCodeAt(++state2.position);
      } else {
        throwError(state2, "unexpected end of the stream within a verbatim tag");
      }
    } else {
      while (ch !== 0 && !isWsOrEol(ch)) {
        if (ch === 33) {
          if (!isNamed) {
            tagHandle = state2.input.slice(_position - 1, state2.position + 1);
            if (!PATTERN_TAG_HANDLE.test(tagHandle)) {
              throwError(state2, "named tag handle cannot contain such characters");
            }
            isNamed = true;
            _position = state2.position + 1;
          } else {
            throwError(state2, "tag suffix cannot contain exclamation marks");
          }
        }
        ch = state2.input.charCodeAt(++state2.position);
      }
      tagName = state2.input.slice(_position, state2.position);
      if (PATTERN_FLOW_INDICATORS.test(tagName)) {
        throwError(state2, "tag suffix cannot contain flow indicator characters");
      }
    }
    if (tagName && !PATTERN_TAG_URI.test(tagName)) {
      throwError(state2, "tag name cannot contain such characters: " + tagName);
    }
    try {
      tagName = decodeURIComponent(tagName);
    } catch (err) {
      throwError(state2, "tag name is malformed: " + tagName);
    }
    if (isVerbatim) {
      state2.tag = tagName;
    } else if (_hasOwnProperty.call(state2.tagMap, tagHandle)) {
      state2.tag = state2.tagMap[tagHandle] + tagName;
    } else if (tagHandle === "!") {
      state2.tag = "!" + tagName;
    } else if (tagHandle === "!!") {
      state2.tag = "tag:yaml.org,2002:" + tagName;
    } else {
      throwError(state2, 'undeclared tag handle "' + tagHandle + '"');
    }
    return true;
  }
  function readAnchorProperty(state2) {
    let ch = state2.input.charCodeAt(state2.position);
    if (ch !== 38) return false;
    if (state2.anchor !== null) {
      throwError(state2, "duplication of an anchor property");
    }
    ch = state2.input.charCodeAt(++state2.position);
    const _position = state2.position;
    while (ch !== 0 && !isWsOrEol(ch) && !isFlowIndicator(ch)) {
      ch = state2.input.charCodeAt(++state2.position);
    }
    if (state2.position === _position) {
      throwError(state2, "name of an anchor node must contain at least one character");
    }
    state2.anchor = state2.input.slice(_position, state2.position);
    return true;
  }
  function readAlias(state2) {
    let ch = state2.input.charCodeAt(state2.position);
    if (ch !== 42) return false;
    ch = state2.input.charCodeAt(++state2.position);
    const _position = state2.position;
    while (ch !== 0 && !isWsOrEol(ch) && !isFlowIndicator(ch)) {
      ch = state2.input.charCodeAt(++state2.position);
    }
    if (state2.position === _position) {
      throwError(state2, "name of an alias node must contain at least one character");
    }
    const alias = state2.input.slice(_position, state2.position);
    if (!_hasOwnProperty.call(state2.anchorMap, alias)) {
      throwError(state2, 'unidentified alias "' + alias + '"');
    }
    state2.result = state2.anchorMap[alias];
    skipSeparationSpace(state2, true, -1);
    return true;
  }
  function tryReadBlockMappingFromProperty(state2, propertyStart, nodeIndent, flowIndent) {
    const fallbackState = snapshotState(state2);
    beginAnchorTransaction(state2);
    restoreState(state2, propertyStart);
    state2.tag = null;
    state2.anchor = null;
    state2.kind = null;
    state2.result = null;
    if (readBlockMapping(state2, nodeIndent, flowIndent) && state2.kind === "mapping") {
      commitAnchorTransaction(state2);
      return true;
    }
    rollbackAnchorTransaction(state2);
    restoreState(state2, fallbackState);
    return false;
  }
  function composeNode(state2, parentIndent, nodeContext, allowToSeek, allowCompact) {
    let allowBlockScalars;
    let allowBlockCollections;
    let indentStatus = 1;
    let atNewLine = false;
    let hasContent = false;
    let propertyStart = null;
    let type2;
    let flowIndent;
    let blockIndent;
    if (state2.depth >= state2.maxDepth) {
      throwError(state2, "nesting exceeded maxDepth (" + state2.maxDepth + ")");
    }
    state2.depth += 1;
    if (state2.listener !== null) {
      state2.listener("open", state2);
    }
    state2.tag = null;
    state2.anchor = null;
    state2.kind = null;
    state2.result = null;
    const allowBlockStyles = allowBlockScalars = allowBlockCollections = CONTEXT_BLOCK_OUT === nodeContext || CONTEXT_BLOCK_IN === nodeContext;
    if (allowToSeek) {
      if (skipSeparationSpace(state2, true, -1)) {
        atNewLine = true;
        if (state2.lineIndent > parentIndent) {
          indentStatus = 1;
        } else if (state2.lineIndent === parentIndent) {
          indentStatus = 0;
        } else if (state2.lineIndent < parentIndent) {
          indentStatus = -1;
        }
      }
    }
    if (indentStatus === 1) {
      while (true) {
        const ch = state2.input.charCodeAt(state2.position);
        const propertyState = snapshotState(state2);
        if (atNewLine && (ch === 33 && state2.tag !== null || ch === 38 && state2.anchor !== null)) {
          break;
        }
        if (!readTagProperty(state2) && !readAnchorProperty(state2)) {
          break;
        }
        if (propertyStart === null) {
          propertyStart = propertyState;
        }
        if (skipSeparationSpace(state2, true, -1)) {
          atNewLine = true;
          allowBlockCollections = allowBlockStyles;
          if (state2.lineIndent > parentIndent) {
            indentStatus = 1;
          } else if (state2.lineIndent === parentIndent) {
            indentStatus = 0;
          } else if (state2.lineIndent < parentIndent) {
            indentStatus = -1;
          }
        } else {
          allowBlockCollections = false;
        }
      }
    }
    if (allowBlockCollections) {
      allowBlockCollections = atNewLine || allowCompact;
    }
    if (indentStatus === 1 || CONTEXT_BLOCK_OUT === nodeContext) {
      if (CONTEXT_FLOW_IN === nodeContext || CONTEXT_FLOW_OUT === nodeContext) {
        flowIndent = parentIndent;
      } else {
        flowIndent = parentIndent + 1;
      }
      blockIndent = state2.position - state2.lineStart;
      if (indentStatus === 1) {
        if (allowBlockCollections && (readBlockSequence(state2, blockIndent) || readBlockMapping(state2, blockIndent, flowIndent)) || readFlowCollection(state2, flowIndent)) {
          hasContent = true;
        } else {
          const ch = state2.input.charCodeAt(state2.position);
          if (propertyStart !== null && allowBlockStyles && !allowBlockCollections && ch !== 124 && ch !== 62 && tryReadBlockMappingFromProperty(
            state2,
            propertyStart,
            propertyStart.position - propertyStart.lineStart,
            flowIndent
          )) {
            hasContent = true;
          } else if (allowBlockScalars && readBlockScalar(state2, flowIndent) || readSingleQuotedScalar(state2, flowIndent) || readDoubleQuotedScalar(state2, flowIndent)) {
            hasContent = true;
          } else if (readAlias(state2)) {
            hasContent = true;
            if (state2.tag !== null || state2.anchor !== null) {
              throwError(state2, "alias node should not have any properties");
            }
          } else if (readPlainScalar(state2, flowIndent, CONTEXT_FLOW_IN === nodeContext)) {
            hasContent = true;
            if (state2.tag === null) {
              state2.tag = "?";
            }
          }
          if (state2.anchor !== null) {
            storeAnchor(state2, state2.anchor, state2.result);
          }
        }
      } else if (indentStatus === 0) {
        hasContent = allowBlockCollections && readBlockSequence(state2, blockIndent);
      }
    }
    if (state2.tag === null) {
      if (state2.anchor !== null) {
        storeAnchor(state2, state2.anchor, state2.result);
      }
    } else if (state2.tag === "?") {
      if (state2.result !== null && state2.kind !== "scalar") {
        throwError(state2, 'unacceptable node kind for !<?> tag; it should be "scalar", not "' + state2.kind + '"');
      }
      for (let typeIndex = 0, typeQuantity = state2.implicitTypes.length; typeIndex < typeQuantity; typeIndex += 1) {
        type2 = state2.implicitTypes[typeIndex];
        if (type2.resolve(state2.result)) {
          state2.result = type2.construct(state2.result);
          state2.tag = type2.tag;
          if (state2.anchor !== null) {
            storeAnchor(state2, state2.anchor, state2.result);
          }
          break;
        }
      }
    } else if (state2.tag !== "!") {
      if (_hasOwnProperty.call(state2.typeMap[state2.kind || "fallback"], state2.tag)) {
        type2 = state2.typeMap[state2.kind || "fallback"][state2.tag];
      } else {
        type2 = null;
        const typeList = state2.typeMap.multi[state2.kind || "fallback"];
        for (let typeIndex = 0, typeQuantity = typeList.length; typeIndex < typeQuantity; typeIndex += 1) {
          if (state2.tag.slice(0, typeList[typeIndex].tag.length) === typeList[typeIndex].tag) {
            type2 = typeList[typeIndex];
            break;
          }
        }
      }
      if (!type2) {
        throwError(state2, "unknown tag !<" + state2.tag + ">");
      }
      if (state2.result !== null && type2.kind !== state2.kind) {
        throwError(state2, "unacceptable node kind for !<" + state2.tag + '> tag; it should be "' + type2.kind + '", not "' + state2.kind + '"');
      }
      if (!type2.resolve(state2.result, state2.tag)) {
        throwError(state2, "cannot resolve a node with !<" + state2.tag + "> explicit tag");
      } else {
        state2.result = type2.construct(state2.result, state2.tag);
        if (state2.anchor !== null) {
          storeAnchor(state2, state2.anchor, state2.result);
        }
      }
    }
    if (state2.listener !== null) {
      state2.listener("close", state2);
    }
    state2.depth -= 1;
    return state2.tag !== null || state2.anchor !== null || hasContent;
  }
  function readDocument(state2) {
    const documentStart = state2.position;
    let hasDirectives = false;
    let ch;
    state2.version = null;
    state2.checkLineBreaks = state2.legacy;
    state2.tagMap = /* @__PURE__ */ Object.create(null);
    state2.anchorMap = /* @__PURE__ */ Object.create(null);
    while ((ch = state2.input.charCodeAt(state2.position)) !== 0) {
      skipSeparationSpace(state2, true, -1);
      ch = state2.input.charCodeAt(state2.position);
      if (state2.lineIndent > 0 || ch !== 37) {
        break;
      }
      hasDirectives = true;
      ch = state2.input.charCodeAt(++state2.position);
      let _position = state2.position;
      while (ch !== 0 && !isWsOrEol(ch)) {
        ch = state2.input.charCodeAt(++state2.position);
      }
      const directiveName = state2.input.slice(_position, state2.position);
      const directiveArgs = [];
      if (directiveName.length < 1) {
        throwError(state2, "directive name must not be less than one character in length");
      }
      while (ch !== 0) {
        while (isWhiteSpace(ch)) {
          ch = state2.input.charCodeAt(++state2.position);
        }
        if (ch === 35) {
          do {
            ch = state2.input.charCodeAt(++state2.position);
          } while (ch !== 0 && !isEol(ch));
          break;
        }
        if (isEol(ch)) break;
        _position = state2.position;
        while (ch !== 0 && !isWsOrEol(ch)) {
          ch = state2.input.charCodeAt(++state2.position);
        }
        directiveArgs.push(state2.input.slice(_position, state2.position));
      }
      if (ch !== 0) readLineBreak(state2);
      if (_hasOwnProperty.call(directiveHandlers, directiveName)) {
        directiveHandlers[directiveName](state2, directiveName, directiveArgs);
      } else {
        throwWarning(state2, 'unknown document directive "' + directiveName + '"');
      }
    }
    skipSeparationSpace(state2, true, -1);
    if (state2.lineIndent === 0 && state2.input.charCodeAt(state2.position) === 45 && state2.input.charCodeAt(state2.position + 1) === 45 && state2.input.charCodeAt(state2.position + 2) === 45) {
      state2.position += 3;
      skipSeparationSpace(state2, true, -1);
    } else if (hasDirectives) {
      throwError(state2, "directives end mark is expected");
    }
    composeNode(state2, state2.lineIndent - 1, CONTEXT_BLOCK_OUT, false, true);
    skipSeparationSpace(state2, true, -1);
    if (state2.checkLineBreaks && PATTERN_NON_ASCII_LINE_BREAKS.test(state2.input.slice(documentStart, state2.position))) {
      throwWarning(state2, "non-ASCII line breaks are interpreted as content");
    }
    state2.documents.push(state2.result);
    if (state2.position === state2.lineStart && testDocumentSeparator(state2)) {
      if (state2.input.charCodeAt(state2.position) === 46) {
        state2.position += 3;
        skipSeparationSpace(state2, true, -1);
      }
      return;
    }
    if (state2.position < state2.length - 1) {
      throwError(state2, "end of the stream or a document separator is expected");
    }
  }
  function loadDocuments(input, options) {
    input = String(input);
    options = options || {};
    if (input.length !== 0) {
      if (input.charCodeAt(input.length - 1) !== 10 && input.charCodeAt(input.length - 1) !== 13) {
        input += "\n";
      }
      if (input.charCodeAt(0) === 65279) {
        input = input.slice(1);
      }
    }
    const state2 = new State(input, options);
    const nullpos = input.indexOf("\0");
    if (nullpos !== -1) {
      state2.position = nullpos;
      throwError(state2, "null byte is not allowed in input");
    }
    state2.input += "\0";
    while (state2.input.charCodeAt(state2.position) === 32) {
      state2.lineIndent += 1;
      state2.position += 1;
    }
    while (state2.position < state2.length - 1) {
      readDocument(state2);
    }
    return state2.documents;
  }
  function loadAll2(input, iterator, options) {
    if (iterator !== null && typeof iterator === "object" && typeof options === "undefined") {
      options = iterator;
      iterator = null;
    }
    const documents = loadDocuments(input, options);
    if (typeof iterator !== "function") {
      return documents;
    }
    for (let index = 0, length = documents.length; index < length; index += 1) {
      iterator(documents[index]);
    }
  }
  function load2(input, options) {
    const documents = loadDocuments(input, options);
    if (documents.length === 0) {
      return void 0;
    } else if (documents.length === 1) {
      return documents[0];
    }
    throw new YAMLException2("expected a single document in the stream, but found more");
  }
  loader.loadAll = loadAll2;
  loader.load = load2;
  return loader;
}
var dumper = {};
var hasRequiredDumper;
function requireDumper() {
  if (hasRequiredDumper) return dumper;
  hasRequiredDumper = 1;
  const common2 = requireCommon();
  const YAMLException2 = requireException();
  const DEFAULT_SCHEMA2 = require_default();
  const _toString = Object.prototype.toString;
  const _hasOwnProperty = Object.prototype.hasOwnProperty;
  const CHAR_BOM = 65279;
  const CHAR_TAB = 9;
  const CHAR_LINE_FEED = 10;
  const CHAR_CARRIAGE_RETURN = 13;
  const CHAR_SPACE = 32;
  const CHAR_EXCLAMATION = 33;
  const CHAR_DOUBLE_QUOTE = 34;
  const CHAR_SHARP = 35;
  const CHAR_PERCENT = 37;
  const CHAR_AMPERSAND = 38;
  const CHAR_SINGLE_QUOTE = 39;
  const CHAR_ASTERISK = 42;
  const CHAR_COMMA = 44;
  const CHAR_MINUS = 45;
  const CHAR_COLON = 58;
  const CHAR_EQUALS = 61;
  const CHAR_GREATER_THAN = 62;
  const CHAR_QUESTION = 63;
  const CHAR_COMMERCIAL_AT = 64;
  const CHAR_LEFT_SQUARE_BRACKET = 91;
  const CHAR_RIGHT_SQUARE_BRACKET = 93;
  const CHAR_GRAVE_ACCENT = 96;
  const CHAR_LEFT_CURLY_BRACKET = 123;
  const CHAR_VERTICAL_LINE = 124;
  const CHAR_RIGHT_CURLY_BRACKET = 125;
  const ESCAPE_SEQUENCES = {};
  ESCAPE_SEQUENCES[0] = "\\0";
  ESCAPE_SEQUENCES[7] = "\\a";
  ESCAPE_SEQUENCES[8] = "\\b";
  ESCAPE_SEQUENCES[9] = "\\t";
  ESCAPE_SEQUENCES[10] = "\\n";
  ESCAPE_SEQUENCES[11] = "\\v";
  ESCAPE_SEQUENCES[12] = "\\f";
  ESCAPE_SEQUENCES[13] = "\\r";
  ESCAPE_SEQUENCES[27] = "\\e";
  ESCAPE_SEQUENCES[34] = '\\"';
  ESCAPE_SEQUENCES[92] = "\\\\";
  ESCAPE_SEQUENCES[133] = "\\N";
  ESCAPE_SEQUENCES[160] = "\\_";
  ESCAPE_SEQUENCES[8232] = "\\L";
  ESCAPE_SEQUENCES[8233] = "\\P";
  const DEPRECATED_BOOLEANS_SYNTAX = [
    "y",
    "Y",
    "yes",
    "Yes",
    "YES",
    "on",
    "On",
    "ON",
    "n",
    "N",
    "no",
    "No",
    "NO",
    "off",
    "Off",
    "OFF"
  ];
  const DEPRECATED_BASE60_SYNTAX = /^[-+]?[0-9_]+(?::[0-9_]+)+(?:\.[0-9_]*)?$/;
  function compileStyleMap(schema2, map2) {
    if (map2 === null) return {};
    const result = {};
    const keys = Object.keys(map2);
    for (let index = 0, length = keys.length; index < length; index += 1) {
      let tag = keys[index];
      let style = String(map2[tag]);
      if (tag.slice(0, 2) === "!!") {
        tag = "tag:yaml.org,2002:" + tag.slice(2);
      }
      const type2 = schema2.compiledTypeMap["fallback"][tag];
      if (type2 && _hasOwnProperty.call(type2.styleAliases, style)) {
        style = type2.styleAliases[style];
      }
      result[tag] = style;
    }
    return result;
  }
  function encodeHex(character) {
    let handle;
    let length;
    const string4 = character.toString(16).toUpperCase();
    if (character <= 255) {
      handle = "x";
      length = 2;
    } else if (character <= 65535) {
      handle = "u";
      length = 4;
    } else if (character <= 4294967295) {
      handle = "U";
      length = 8;
    } else {
      throw new YAMLException2("code point within a string may not be greater than 0xFFFFFFFF");
    }
    return "\\" + handle + common2.repeat("0", length - string4.length) + string4;
  }
  const QUOTING_TYPE_SINGLE = 1;
  const QUOTING_TYPE_DOUBLE = 2;
  function State(options) {
    this.schema = options["schema"] || DEFAULT_SCHEMA2;
    this.indent = Math.max(1, options["indent"] || 2);
    this.noArrayIndent = options["noArrayIndent"] || false;
    this.skipInvalid = options["skipInvalid"] || false;
    this.flowLevel = common2.isNothing(options["flowLevel"]) ? -1 : options["flowLevel"];
    this.styleMap = compileStyleMap(this.schema, options["styles"] || null);
    this.sortKeys = options["sortKeys"] || false;
    this.lineWidth = options["lineWidth"] || 80;
    this.noRefs = options["noRefs"] || false;
    this.noCompatMode = options["noCompatMode"] || false;
    this.condenseFlow = options["condenseFlow"] || false;
    this.quotingType = options["quotingType"] === '"' ? QUOTING_TYPE_DOUBLE : QUOTING_TYPE_SINGLE;
    this.forceQuotes = options["forceQuotes"] || false;
    this.replacer = typeof options["replacer"] === "function" ? options["replacer"] : null;
    this.implicitTypes = this.schema.compiledImplicit;
    this.explicitTypes = this.schema.compiledExplicit;
    this.tag = null;
    this.result = "";
    this.duplicates = [];
    this.usedDuplicates = null;
  }
  function indentString(string4, spaces) {
    const ind = common2.repeat(" ", spaces);
    let position = 0;
    let result = "";
    const length = string4.length;
    while (position < length) {
      let line;
      const next = string4.indexOf("\n", position);
      if (next === -1) {
        line = string4.slice(position);
        position = length;
      } else {
        line = string4.slice(position, next + 1);
        position = next + 1;
      }
      if (line.length && line !== "\n") result += ind;
      result += line;
    }
    return result;
  }
  function generateNextLine(state2, level) {
    return "\n" + common2.repeat(" ", state2.indent * level);
  }
  function testImplicitResolving(state2, str2) {
    for (let index = 0, length = state2.implicitTypes.length; index < length; index += 1) {
      const type2 = state2.implicitTypes[index];
      if (type2.resolve(str2)) {
        return true;
      }
    }
    return false;
  }
  function isWhitespace(c) {
    return c === CHAR_SPACE || c === CHAR_TAB;
  }
  function isPrintable(c) {
    return c >= 32 && c <= 126 || c >= 161 && c <= 55295 && c !== 8232 && c !== 8233 || c >= 57344 && c <= 65533 && c !== CHAR_BOM || c >= 65536 && c <= 1114111;
  }
  function isNsCharOrWhitespace(c) {
    return isPrintable(c) && c !== CHAR_BOM && // - b-char
    c !== CHAR_CARRIAGE_RETURN && c !== CHAR_LINE_FEED;
  }
  function isPlainSafe(c, prev, inblock) {
    const cIsNsCharOrWhitespace = isNsCharOrWhitespace(c);
    const cIsNsChar = cIsNsCharOrWhitespace && !isWhitespace(c);
    return (
      // ns-plain-safe
      (inblock ? cIsNsCharOrWhitespace : cIsNsCharOrWhitespace && // - c-flow-indicator
      c !== CHAR_COMMA && c !== CHAR_LEFT_SQUARE_BRACKET && c !== CHAR_RIGHT_SQUARE_BRACKET && c !== CHAR_LEFT_CURLY_BRACKET && c !== CHAR_RIGHT_CURLY_BRACKET) && // ns-plain-char
      c !== CHAR_SHARP && // false on '#'
      !(prev === CHAR_COLON && !cIsNsChar) || // false on ': '
      isNsCharOrWhitespace(prev) && !isWhitespace(prev) && c === CHAR_SHARP || // change to true on '[^ ]#'
      prev === CHAR_COLON && cIsNsChar
    );
  }
  function isPlainSafeFirst(c) {
    return isPrintable(c) && c !== CHAR_BOM && !isWhitespace(c) && // - s-white
    // - (c-indicator ::=
    // “-” | “?” | “:” | “,” | “[” | “]” | “{” | “}”
    c !== CHAR_MINUS && c !== CHAR_QUESTION && c !== CHAR_COLON && c !== CHAR_COMMA && c !== CHAR_LEFT_SQUARE_BRACKET && c !== CHAR_RIGHT_SQUARE_BRACKET && c !== CHAR_LEFT_CURLY_BRACKET && c !== CHAR_RIGHT_CURLY_BRACKET && // | “#” | “&” | “*” | “!” | “|” | “=” | “>” | “'” | “"”
    c !== CHAR_SHARP && c !== CHAR_AMPERSAND && c !== CHAR_ASTERISK && c !== CHAR_EXCLAMATION && c !== CHAR_VERTICAL_LINE && c !== CHAR_EQUALS && c !== CHAR_GREATER_THAN && c !== CHAR_SINGLE_QUOTE && c !== CHAR_DOUBLE_QUOTE && // | “%” | “@” | “`”)
    c !== CHAR_PERCENT && c !== CHAR_COMMERCIAL_AT && c !== CHAR_GRAVE_ACCENT;
  }
  function isPlainSafeLast(c) {
    return !isWhitespace(c) && c !== CHAR_COLON;
  }
  function codePointAt(string4, pos) {
    const first = string4.charCodeAt(pos);
    let second3;
    if (first >= 55296 && first <= 56319 && pos + 1 < string4.length) {
      second3 = string4.charCodeAt(pos + 1);
      if (second3 >= 56320 && second3 <= 57343) {
        return (first - 55296) * 1024 + second3 - 56320 + 65536;
      }
    }
    return first;
  }
  function needIndentIndicator(string4) {
    const leadingSpaceRe = /^\n* /;
    return leadingSpaceRe.test(string4);
  }
  const STYLE_PLAIN = 1;
  const STYLE_SINGLE = 2;
  const STYLE_LITERAL = 3;
  const STYLE_FOLDED = 4;
  const STYLE_DOUBLE = 5;
  function chooseScalarStyle(string4, singleLineOnly, indentPerLevel, lineWidth, testAmbiguousType, quotingType, forceQuotes, inblock) {
    let i;
    let char = 0;
    let prevChar = null;
    let hasLineBreak = false;
    let hasFoldableLine = false;
    const shouldTrackWidth = lineWidth !== -1;
    let previousLineBreak = -1;
    let plain4 = isPlainSafeFirst(codePointAt(string4, 0)) && isPlainSafeLast(codePointAt(string4, string4.length - 1));
    if (singleLineOnly || forceQuotes) {
      for (i = 0; i < string4.length; char >= 65536 ? i += 2 : i++) {
        char = codePointAt(string4, i);
        if (!isPrintable(char)) {
          return STYLE_DOUBLE;
        }
        plain4 = plain4 && isPlainSafe(char, prevChar, inblock);
        prevChar = char;
      }
    } else {
      for (i = 0; i < string4.length; char >= 65536 ? i += 2 : i++) {
        char = codePointAt(string4, i);
        if (char === CHAR_LINE_FEED) {
          hasLineBreak = true;
          if (shouldTrackWidth) {
            hasFoldableLine = hasFoldableLine || // Foldable line = too long, and not more-indented.
            i - previousLineBreak - 1 > lineWidth && string4[previousLineBreak + 1] !== " ";
            previousLineBreak = i;
          }
        } else if (!isPrintable(char)) {
          return STYLE_DOUBLE;
        }
        plain4 = plain4 && isPlainSafe(char, prevChar, inblock);
        prevChar = char;
      }
      hasFoldableLine = hasFoldableLine || shouldTrackWidth && (i - previousLineBreak - 1 > lineWidth && string4[previousLineBreak + 1] !== " ");
    }
    if (!hasLineBreak && !hasFoldableLine) {
      if (plain4 && !forceQuotes && !testAmbiguousType(string4)) {
        return STYLE_PLAIN;
      }
      return quotingType === QUOTING_TYPE_DOUBLE ? STYLE_DOUBLE : STYLE_SINGLE;
    }
    if (indentPerLevel > 9 && needIndentIndicator(string4)) {
      return STYLE_DOUBLE;
    }
    if (!forceQuotes) {
      return hasFoldableLine ? STYLE_FOLDED : STYLE_LITERAL;
    }
    return quotingType === QUOTING_TYPE_DOUBLE ? STYLE_DOUBLE : STYLE_SINGLE;
  }
  function writeScalar(state2, string4, level, iskey, inblock) {
    state2.dump = (function() {
      if (string4.length === 0) {
        return state2.quotingType === QUOTING_TYPE_DOUBLE ? '""' : "''";
      }
      if (!state2.noCompatMode) {
        if (DEPRECATED_BOOLEANS_SYNTAX.indexOf(string4) !== -1 || DEPRECATED_BASE60_SYNTAX.test(string4)) {
          return state2.quotingType === QUOTING_TYPE_DOUBLE ? '"' + string4 + '"' : "'" + string4 + "'";
        }
      }
      const indent = state2.indent * Math.max(1, level);
      const lineWidth = state2.lineWidth === -1 ? -1 : Math.max(Math.min(state2.lineWidth, 40), state2.lineWidth - indent);
      const singleLineOnly = iskey || // No block styles in flow mode.
      state2.flowLevel > -1 && level >= state2.flowLevel;
      function testAmbiguity(string22) {
        return testImplicitResolving(state2, string22);
      }
      switch (chooseScalarStyle(
        string4,
        singleLineOnly,
        state2.indent,
        lineWidth,
        testAmbiguity,
        state2.quotingType,
        state2.forceQuotes && !iskey,
        inblock
      )) {
        case STYLE_PLAIN:
          return string4;
        case STYLE_SINGLE:
          return "'" + string4.replace(/'/g, "''") + "'";
        case STYLE_LITERAL:
          return "|" + blockHeader(string4, state2.indent) + dropEndingNewline(indentString(string4, indent));
        case STYLE_FOLDED:
          return ">" + blockHeader(string4, state2.indent) + dropEndingNewline(indentString(foldString(string4, lineWidth), indent));
        case STYLE_DOUBLE:
          return '"' + escapeString(string4) + '"';
        default:
          throw new YAMLException2("impossible error: invalid scalar style");
      }
    })();
  }
  function blockHeader(string4, indentPerLevel) {
    const indentIndicator = needIndentIndicator(string4) ? String(indentPerLevel) : "";
    const clip = string4[string4.length - 1] === "\n";
    const keep = clip && (string4[string4.length - 2] === "\n" || string4 === "\n");
    const chomp = keep ? "+" : clip ? "" : "-";
    return indentIndicator + chomp + "\n";
  }
  function dropEndingNewline(string4) {
    return string4[string4.length - 1] === "\n" ? string4.slice(0, -1) : string4;
  }
  function foldString(string4, width) {
    const lineRe = /(\n+)([^\n]*)/g;
    let result = (function() {
      let nextLF = string4.indexOf("\n");
      nextLF = nextLF !== -1 ? nextLF : string4.length;
      lineRe.lastIndex = nextLF;
      return foldLine(string4.slice(0, nextLF), width);
    })();
    let prevMoreIndented = string4[0] === "\n" || string4[0] === " ";
    let moreIndented;
    let match;
    while (match = lineRe.exec(string4)) {
      const prefix = match[1];
      const line = match[2];
      moreIndented = line[0] === " ";
      result += prefix + (!prevMoreIndented && !moreIndented && line !== "" ? "\n" : "") + foldLine(line, width);
      prevMoreIndented = moreIndented;
    }
    return result;
  }
  function foldLine(line, width) {
    if (line === "" || line[0] === " ") return line;
    const breakRe = / [^ ]/g;
    let match;
    let start = 0;
    let end2;
    let curr = 0;
    let next = 0;
    let result = "";
    while (match = breakRe.exec(line)) {
      next = match.index;
      if (next - start > width) {
        end2 = curr > start ? curr : next;
        result += "\n" + line.slice(start, end2);
        start = end2 + 1;
      }
      curr = next;
    }
    result += "\n";
    if (line.length - start > width && curr > start) {
      result += line.slice(start, curr) + "\n" + line.slice(curr + 1);
    } else {
      result += line.slice(start);
    }
    return result.slice(1);
  }
  function escapeString(string4) {
    let result = "";
    let char = 0;
    for (let i = 0; i < string4.length; char >= 65536 ? i += 2 : i++) {
      char = codePointAt(string4, i);
      const escapeSeq = ESCAPE_SEQUENCES[char];
      if (!escapeSeq && isPrintable(char)) {
        result += string4[i];
        if (char >= 65536) result += string4[i + 1];
      } else {
        result += escapeSeq || encodeHex(char);
      }
    }
    return result;
  }
  function writeFlowSequence(state2, level, object) {
    let _result = "";
    const _tag = state2.tag;
    for (let index = 0, length = object.length; index < length; index += 1) {
      let value = object[index];
      if (state2.replacer) {
        value = state2.replacer.call(object, String(index), value);
      }
      if (writeNode(state2, level, value, false, false) || typeof value === "undefined" && writeNode(state2, level, null, false, false)) {
        if (_result !== "") _result += "," + (!state2.condenseFlow ? " " : "");
        _result += state2.dump;
      }
    }
    state2.tag = _tag;
    state2.dump = "[" + _result + "]";
  }
  function writeBlockSequence(state2, level, object, compact) {
    let _result = "";
    const _tag = state2.tag;
    for (let index = 0, length = object.length; index < length; index += 1) {
      let value = object[index];
      if (state2.replacer) {
        value = state2.replacer.call(object, String(index), value);
      }
      if (writeNode(state2, level + 1, value, true, true, false, true) || typeof value === "undefined" && writeNode(state2, level + 1, null, true, true, false, true)) {
        if (!compact || _result !== "") {
          _result += generateNextLine(state2, level);
        }
        if (state2.dump && CHAR_LINE_FEED === state2.dump.charCodeAt(0)) {
          _result += "-";
        } else {
          _result += "- ";
        }
        _result += state2.dump;
      }
    }
    state2.tag = _tag;
    state2.dump = _result || "[]";
  }
  function writeFlowMapping(state2, level, object) {
    let _result = "";
    const _tag = state2.tag;
    const objectKeyList = Object.keys(object);
    for (let index = 0, length = objectKeyList.length; index < length; index += 1) {
      let pairBuffer = "";
      if (_result !== "") pairBuffer += ", ";
      if (state2.condenseFlow) pairBuffer += '"';
      const objectKey = objectKeyList[index];
      let objectValue = object[objectKey];
      if (state2.replacer) {
        objectValue = state2.replacer.call(object, objectKey, objectValue);
      }
      if (!writeNode(state2, level, objectKey, false, false)) {
        continue;
      }
      if (state2.dump.length > 1024) pairBuffer += "? ";
      pairBuffer += state2.dump + (state2.condenseFlow ? '"' : "") + ":" + (state2.condenseFlow ? "" : " ");
      if (!writeNode(state2, level, objectValue, false, false)) {
        continue;
      }
      pairBuffer += state2.dump;
      _result += pairBuffer;
    }
    state2.tag = _tag;
    state2.dump = "{" + _result + "}";
  }
  function writeBlockMapping(state2, level, object, compact) {
    let _result = "";
    const _tag = state2.tag;
    const objectKeyList = Object.keys(object);
    if (state2.sortKeys === true) {
      objectKeyList.sort();
    } else if (typeof state2.sortKeys === "function") {
      objectKeyList.sort(state2.sortKeys);
    } else if (state2.sortKeys) {
      throw new YAMLException2("sortKeys must be a boolean or a function");
    }
    for (let index = 0, length = objectKeyList.length; index < length; index += 1) {
      let pairBuffer = "";
      if (!compact || _result !== "") {
        pairBuffer += generateNextLine(state2, level);
      }
      const objectKey = objectKeyList[index];
      let objectValue = object[objectKey];
      if (state2.replacer) {
        objectValue = state2.replacer.call(object, objectKey, objectValue);
      }
      if (!writeNode(state2, level + 1, objectKey, true, true, true)) {
        continue;
      }
      const explicitPair = state2.tag !== null && state2.tag !== "?" || state2.dump && state2.dump.length > 1024;
      if (explicitPair) {
        if (state2.dump && CHAR_LINE_FEED === state2.dump.charCodeAt(0)) {
          pairBuffer += "?";
        } else {
          pairBuffer += "? ";
        }
      }
      pairBuffer += state2.dump;
      if (explicitPair) {
        pairBuffer += generateNextLine(state2, level);
      }
      if (!writeNode(state2, level + 1, objectValue, true, explicitPair)) {
        continue;
      }
      if (state2.dump && CHAR_LINE_FEED === state2.dump.charCodeAt(0)) {
        pairBuffer += ":";
      } else {
        pairBuffer += ": ";
      }
      pairBuffer += state2.dump;
      _result += pairBuffer;
    }
    state2.tag = _tag;
    state2.dump = _result || "{}";
  }
  function detectType(state2, object, explicit) {
    const typeList = explicit ? state2.explicitTypes : state2.implicitTypes;
    for (let index = 0, length = typeList.length; index < length; index += 1) {
      const type2 = typeList[index];
      if ((type2.instanceOf || type2.predicate) && (!type2.instanceOf || typeof object === "object" && object instanceof type2.instanceOf) && (!type2.predicate || type2.predicate(object))) {
        if (explicit) {
          if (type2.multi && type2.representName) {
            state2.tag = type2.representName(object);
          } else {
            state2.tag = type2.tag;
          }
        } else {
          state2.tag = "?";
        }
        if (type2.represent) {
          const style = state2.styleMap[type2.tag] || type2.defaultStyle;
          let _result;
          if (_toString.call(type2.represent) === "[object Function]") {
            _result = type2.represent(object, style);
          } else if (_hasOwnProperty.call(type2.represent, style)) {
            _result = type2.represent[style](object, style);
          } else {
            throw new YAMLException2("!<" + type2.tag + '> tag resolver accepts not "' + style + '" style');
          }
          state2.dump = _result;
        }
        return true;
      }
    }
    return false;
  }
  function writeNode(state2, level, object, block, compact, iskey, isblockseq) {
    state2.tag = null;
    state2.dump = object;
    if (!detectType(state2, object, false)) {
      detectType(state2, object, true);
    }
    const type2 = _toString.call(state2.dump);
    const inblock = block;
    if (block) {
      block = state2.flowLevel < 0 || state2.flowLevel > level;
    }
    const objectOrArray = type2 === "[object Object]" || type2 === "[object Array]";
    let duplicateIndex;
    let duplicate;
    if (objectOrArray) {
      duplicateIndex = state2.duplicates.indexOf(object);
      duplicate = duplicateIndex !== -1;
    }
    if (state2.tag !== null && state2.tag !== "?" || duplicate || state2.indent !== 2 && level > 0) {
      compact = false;
    }
    if (duplicate && state2.usedDuplicates[duplicateIndex]) {
      state2.dump = "*ref_" + duplicateIndex;
    } else {
      if (objectOrArray && duplicate && !state2.usedDuplicates[duplicateIndex]) {
        state2.usedDuplicates[duplicateIndex] = true;
      }
      if (type2 === "[object Object]") {
        if (block && Object.keys(state2.dump).length !== 0) {
          writeBlockMapping(state2, level, state2.dump, compact);
          if (duplicate) {
            state2.dump = "&ref_" + duplicateIndex + state2.dump;
          }
        } else {
          writeFlowMapping(state2, level, state2.dump);
          if (duplicate) {
            state2.dump = "&ref_" + duplicateIndex + " " + state2.dump;
          }
        }
      } else if (type2 === "[object Array]") {
        if (block && state2.dump.length !== 0) {
          if (state2.noArrayIndent && !isblockseq && level > 0) {
            writeBlockSequence(state2, level - 1, state2.dump, compact);
          } else {
            writeBlockSequence(state2, level, state2.dump, compact);
          }
          if (duplicate) {
            state2.dump = "&ref_" + duplicateIndex + state2.dump;
          }
        } else {
          writeFlowSequence(state2, level, state2.dump);
          if (duplicate) {
            state2.dump = "&ref_" + duplicateIndex + " " + state2.dump;
          }
        }
      } else if (type2 === "[object String]") {
        if (state2.tag !== "?") {
          writeScalar(state2, state2.dump, level, iskey, inblock);
        }
      } else if (type2 === "[object Undefined]") {
        return false;
      } else {
        if (state2.skipInvalid) return false;
        throw new YAMLException2("unacceptable kind of an object to dump " + type2);
      }
      if (state2.tag !== null && state2.tag !== "?") {
        let tagStr = encodeURI(
          state2.tag[0] === "!" ? state2.tag.slice(1) : state2.tag
        ).replace(/!/g, "%21");
        if (state2.tag[0] === "!") {
          tagStr = "!" + tagStr;
        } else if (tagStr.slice(0, 18) === "tag:yaml.org,2002:") {
          tagStr = "!!" + tagStr.slice(18);
        } else {
          tagStr = "!<" + tagStr + ">";
        }
        state2.dump = tagStr + " " + state2.dump;
      }
    }
    return true;
  }
  function getDuplicateReferences(object, state2) {
    const objects = [];
    const duplicatesIndexes = [];
    inspectNode(object, objects, duplicatesIndexes);
    const length = duplicatesIndexes.length;
    for (let index = 0; index < length; index += 1) {
      state2.duplicates.push(objects[duplicatesIndexes[index]]);
    }
    state2.usedDuplicates = new Array(length);
  }
  function inspectNode(object, objects, duplicatesIndexes) {
    if (object !== null && typeof object === "object") {
      const index = objects.indexOf(object);
      if (index !== -1) {
        if (duplicatesIndexes.indexOf(index) === -1) {
          duplicatesIndexes.push(index);
        }
      } else {
        objects.push(object);
        if (Array.isArray(object)) {
          for (let i = 0, length = object.length; i < length; i += 1) {
            inspectNode(object[i], objects, duplicatesIndexes);
          }
        } else {
          const objectKeyList = Object.keys(object);
          for (let i = 0, length = objectKeyList.length; i < length; i += 1) {
            inspectNode(object[objectKeyList[i]], objects, duplicatesIndexes);
          }
        }
      }
    }
  }
  function dump2(input, options) {
    options = options || {};
    const state2 = new State(options);
    if (!state2.noRefs) getDuplicateReferences(input, state2);
    let value = input;
    if (state2.replacer) {
      value = state2.replacer.call({ "": value }, "", value);
    }
    if (writeNode(state2, 0, value, true, true)) return state2.dump + "\n";
    return "";
  }
  dumper.dump = dump2;
  return dumper;
}
var hasRequiredJsYaml;
function requireJsYaml() {
  if (hasRequiredJsYaml) return jsYaml;
  hasRequiredJsYaml = 1;
  const loader2 = requireLoader();
  const dumper2 = requireDumper();
  function renamed(from, to) {
    return function() {
      throw new Error("Function yaml." + from + " is removed in js-yaml 4. Use yaml." + to + " instead, which is now safe by default.");
    };
  }
  jsYaml.Type = requireType();
  jsYaml.Schema = requireSchema();
  jsYaml.FAILSAFE_SCHEMA = requireFailsafe();
  jsYaml.JSON_SCHEMA = requireJson();
  jsYaml.CORE_SCHEMA = requireCore();
  jsYaml.DEFAULT_SCHEMA = require_default();
  jsYaml.load = loader2.load;
  jsYaml.loadAll = loader2.loadAll;
  jsYaml.dump = dumper2.dump;
  jsYaml.YAMLException = requireException();
  jsYaml.types = {
    binary: requireBinary(),
    float: requireFloat(),
    map: requireMap(),
    null: require_null(),
    pairs: requirePairs(),
    set: requireSet(),
    timestamp: requireTimestamp(),
    bool: requireBool(),
    int: requireInt(),
    merge: requireMerge(),
    omap: requireOmap(),
    seq: requireSeq(),
    str: requireStr()
  };
  jsYaml.safeLoad = renamed("safeLoad", "load");
  jsYaml.safeLoadAll = renamed("safeLoadAll", "loadAll");
  jsYaml.safeDump = renamed("safeDump", "dump");
  return jsYaml;
}
var jsYamlExports = requireJsYaml();
var yaml = /* @__PURE__ */ getDefaultExportFromCjs(jsYamlExports);
var {
  Type,
  Schema,
  FAILSAFE_SCHEMA,
  JSON_SCHEMA,
  CORE_SCHEMA,
  DEFAULT_SCHEMA,
  load,
  loadAll,
  dump,
  YAMLException,
  types,
  safeLoad,
  safeLoadAll,
  safeDump
} = yaml;

// src/text/documents/scalars.ts
var none = { kind: "null" };
var yes = { kind: "bool", value: true };
var no = { kind: "bool", value: false };
var kubernetesWords = new Map([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, none]),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, yes]
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, no]
  ),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, unsupported("NaN")]),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map(
    (word) => [word, unsupported("+Inf")]
  ),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, unsupported("-Inf")])
]);
var coreWords = new Map([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, none]),
  ...["true", "True", "TRUE"].map((word) => [word, yes]),
  ...["false", "False", "FALSE"].map((word) => [word, no]),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, unsupported("NaN")]),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"].map(
    (word) => [word, unsupported("an infinite number")]
  )
]);
var firstCharactersOfWords = /* @__PURE__ */ new Set([..."yYnNtTfFoO~.+-"]);
var integer = /^[+-]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
var float2 = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
var coreNumber = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
function resolveKubernetesScalar(text4) {
  const first = text4[0];
  if (first === void 0) return none;
  const isDigitOrSign = first === "+" || first === "-" || first >= "0" && first <= "9";
  if (!isDigitOrSign && !firstCharactersOfWords.has(first)) return void 0;
  if (text4.length <= 5) {
    const word = kubernetesWords.get(text4);
    if (word !== void 0) return word;
  }
  if (first === ".") return float2.test(text4) ? finite(Number(text4)) : void 0;
  if (!isDigitOrSign) return void 0;
  const plain4 = text4.includes("_") ? text4.replaceAll("_", "") : text4;
  if (integer.test(plain4)) {
    const value = integerValue(plain4);
    const isInt642 = value >= -(2n ** 63n) && value < 2n ** 63n;
    if (isInt642 || value > 0n && value < 2n ** 64n && !/^[+-]/.test(plain4)) {
      return { kind: "int", value: numberFor(value) };
    }
  }
  return float2.test(plain4) ? finite(Number(plain4)) : void 0;
}
function resolveCoreScalar(text4) {
  const word = coreWords.get(text4);
  if (word !== void 0) return word;
  if (/^0o[0-7]+$/.test(text4) || /^0x[0-9a-fA-F]+$/.test(text4)) {
    return { kind: "int", value: numberFor(BigInt(text4)) };
  }
  if (!coreNumber.test(text4)) return void 0;
  const literal4 = jsonLiteral(text4);
  const kind = /^[-+]?[0-9]+$/.test(text4) ? "int" : "float";
  return String(Number(literal4)) === literal4 ? { kind, value: Number(literal4) } : { kind, value: new NumberText(literal4) };
}
function unsupported(text4) {
  return { kind: "unsupported", text: text4 };
}
function integerValue(plain4) {
  const negative = plain4.startsWith("-");
  const digits = plain4.replace(/^[+-]/, "");
  const magnitude = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits.toLowerCase());
  return negative ? -magnitude : magnitude;
}
function numberFor(value) {
  const text4 = value.toString();
  const number2 = Number(value);
  return String(number2) === text4 ? number2 : new NumberText(text4);
}
function finite(value) {
  if (!Number.isFinite(value)) return void 0;
  return { kind: "float", value: Object.is(value, -0) ? new NumberText("-0") : value };
}
function jsonLiteral(text4) {
  const negative = text4.startsWith("-");
  const [mantissa = "", ...exponent] = text4.replace(/^[+-]/, "").split(/(?=[eE])/);
  const [whole = "", fraction] = mantissa.split(".");
  const digits = whole.replace(/^0+(?=[0-9])/, "") || "0";
  return [
    negative ? "-" : "",
    digits,
    fraction === void 0 || fraction === "" ? "" : `.${fraction}`,
    ...exponent
  ].join("");
}

// src/text/go/format-float.ts
function formatFloat(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  return Object.is(value, -0) ? "-0" : general(value.toExponential());
}
function formatFloat32(value) {
  const single = Math.fround(value);
  if (Object.is(single, -0)) return "-0";
  for (let digits = 1; digits <= 9; digits++) {
    const text4 = rounded(single, digits);
    if (Math.fround(Number(text4)) === single) return general(text4);
  }
  return String(single);
}
function general(exponential) {
  const [digits = "", exponent = "0"] = exponential.split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(exponential));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
function rounded(value, digits) {
  const text4 = value.toExponential(digits - 1);
  const [longer = "", exponent = ""] = value.toExponential(digits).split("e");
  const isMiddle = longer.endsWith("5") && Number(`${longer}e${exponent}`) === value;
  const below = longer.slice(0, -1);
  return isMiddle && /[02468]\.?$/.test(below) ? `${below.replace(/\.$/, "")}e${exponent}` : text4;
}

// src/text/documents/yaml-key-names.ts
var UnsupportedScalar = class {
  constructor(text4) {
    this.text = text4;
  }
  text;
  toString() {
    return unsupportedNames.get(this.text) ?? this.text;
  }
  [Symbol.toStringTag] = "Number";
};
var unsupportedNames = /* @__PURE__ */ new Map([
  ["+Inf", ".inf"],
  ["-Inf", "-.inf"],
  ["NaN", ".nan"]
]);
var NamedFloat = class {
  constructor(value, name2) {
    this.value = value;
    this.name = name2;
  }
  value;
  name;
  toString() {
    return this.name;
  }
  [Symbol.toStringTag] = "Number";
};
function namedFloat(value) {
  const name2 = floatName(value);
  return name2 === String(value) ? value : new NamedFloat(value, name2);
}
function floatName(value) {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? ".inf" : "-.inf";
  return formatFloat32(single);
}

// src/text/documents/yaml.ts
var NullScalar = class {
  toString() {
    throw new InvalidInputError("E_YAML", "has a key that is null: name the key or quote it");
  }
  [Symbol.toStringTag] = "Null";
};
var nullScalar = new NullScalar();
var MergeKey = class _MergeKey {
  static mark = randomBytes3(12).toString("hex");
  static #count = 0;
  toString() {
    return `${_MergeKey.mark}${_MergeKey.#count++}`;
  }
  [Symbol.toStringTag] = "Merge";
};
function construct(resolved, text4) {
  if (resolved === void 0) return text4;
  if (resolved.kind === "null") return nullScalar;
  if (resolved.kind === "unsupported") {
    return new UnsupportedScalar(resolved.text);
  }
  const { kind, value } = resolved;
  return kind === "float" && typeof value === "number" ? namedFloat(value) : value;
}
function schemaFor(resolve2, anyTag) {
  const tag = (name2) => `tag:yaml.org,2002:${name2}`;
  const scalar = (name2, kinds4) => new yaml.Type(tag(name2), {
    kind: "scalar",
    resolve: (data) => {
      const resolved = resolve2(data ?? "");
      return resolved !== void 0 && kinds4.includes(resolved.kind);
    },
    construct: (data) => construct(resolve2(data ?? ""), data ?? "")
  });
  const implicit = new yaml.Type(tag("resolved"), {
    kind: "scalar",
    resolve: (data) => data === null || resolve2(data) !== void 0,
    construct: (data) => construct(resolve2(data ?? ""), data ?? "")
  });
  const merge2 = new yaml.Type(tag("merge-key"), {
    kind: "scalar",
    resolve: (data) => data === "<<",
    construct: () => new MergeKey()
  });
  const explicit = [
    scalar("null", ["null"]),
    scalar("bool", ["bool"]),
    scalar("int", ["int"]),
    scalar("float", ["float", "int", "unsupported"]),
    new yaml.Type(tag("timestamp"), {
      kind: "scalar",
      resolve: (data) => isTimestamp(data ?? ""),
      construct: (data) => data ?? ""
    }),
    new yaml.Type(tag("binary"), {
      kind: "scalar",
      resolve: (data) => isBase64((data ?? "").replaceAll(/[\r\n]/g, "")),
      construct: (data) => Buffer.from(data ?? "", "base64").toString("utf8")
    })
  ];
  const unknown2 = anyTag ? ["scalar", "sequence", "mapping"].flatMap(
    (kind) => ["!", "tag:", ""].map(
      (prefix) => new yaml.Type(prefix, {
        kind,
        multi: true,
        construct: (data) => data ?? (kind === "scalar" ? "" : null)
      })
    )
  ) : [];
  return yaml.FAILSAFE_SCHEMA.extend({
    implicit: anyTag ? [implicit, merge2] : [implicit],
    explicit: [...explicit, ...unknown2]
  });
}
var timestamp2 = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[+-]\d\d:\d\d))|(?: \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?))?$/;
function isTimestamp(text4) {
  const [, year, month, day2] = timestamp2.exec(text4) ?? [];
  if (year === void 0 || month === void 0 || day2 === void 0) return false;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day2) >= 1 && Number(day2) <= last;
}
function isBase64(text4) {
  return text4.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text4);
}
var kubernetesSchema = schemaFor(resolveKubernetesScalar, true);
var coreSchema = schemaFor(resolveCoreScalar, false);

// src/text/versions/error.ts
var InvalidVersionError = class extends Error {
  name = "InvalidVersionError";
};
var InvalidRangeError = class extends Error {
  name = "InvalidRangeError";
};

// src/text/versions/version.ts
var import_semver = __toESM(require_semver2(), 1);

// src/text/go/json-number.ts
var minInt64 = -(2n ** 63n);
var maxInt64 = 2n ** 63n - 1n;
function isNumber(value) {
  return typeof value === "number" || value instanceof NumberText;
}
function int64Of(value) {
  const text4 = typeof value === "number" ? String(value) : value.text;
  if (!/^-?\d{1,19}$/.test(text4)) return void 0;
  const integer3 = BigInt(text4);
  return integer3 >= minInt64 && integer3 <= maxInt64 ? integer3 : void 0;
}
function float64Of(value) {
  return typeof value === "number" ? value : value.value;
}

// src/text/go/json-errors.ts
function jsonKind(value) {
  if (isObject(value)) return "object";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return "number";
  return typeof value === "boolean" ? "bool" : value === null ? "null" : "string";
}
function cannotUnmarshal(what, type2, field2 = "") {
  return field2 === "" ? `json: cannot unmarshal ${what} into Go value of type ${type2}` : `json: cannot unmarshal ${what} into Go struct field ${field2} of type ${type2}`;
}

// src/text/go/order.ts
function compareBytes(left, right) {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one2 = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one2 !== other) return rank(one2) < rank(other) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}
function rank(unit) {
  return unit >= 55296 && unit <= 57343 ? unit + 65536 : unit;
}

// src/text/go/decode-json.ts
var ranges = {
  uint8: [0, 255],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  // Doubles cannot tell 2^63 - 1 from 2^63: the blob went through doubles in the reference, too.
  int: [-(2 ** 63), 2 ** 63 - 1024]
};

// src/text/go/decimal.ts
var mostDigits = 20;
function decimalOf(text4) {
  const digits = text4.replace(/^[+-]?0*/, "");
  if (digits.length > mostDigits) return void 0;
  return BigInt(text4.startsWith("-") ? `-${digits || "0"}` : digits || "0");
}

// src/text/go/duration.ts
var nanosecondsPerUnit = /* @__PURE__ */ new Map([
  ["ns", 1n],
  ["us", 1000n],
  ["\xB5s", 1000n],
  ["\u03BCs", 1000n],
  ["ms", 1000000n],
  ["s", 1000000000n],
  ["m", 60000000000n],
  ["h", 3600000000000n]
]);
var magnitudeLimit = 2n ** 63n;
function parseDuration(text4) {
  const invalid = { error: `time: invalid duration ${quoted(text4)}` };
  const [, sign, body = ""] = /^([-+]?)([^]*)$/.exec(text4) ?? [];
  if (body === "0") return { nanoseconds: 0n };
  if (body === "") return invalid;
  let total = 0n;
  for (let rest = body; rest !== ""; ) {
    const [number2 = "", whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [];
    if (whole === "" && fraction === "") return invalid;
    const value = BigInt(whole === "" ? 0 : whole);
    if (value > magnitudeLimit) return invalid;
    const unit = /^[^.\d]*/.exec(rest.slice(number2.length))?.[0] ?? "";
    if (unit === "") return { error: `time: missing unit in duration ${quoted(text4)}` };
    const nanoseconds = nanosecondsPerUnit.get(unit);
    if (nanoseconds === void 0) {
      return { error: `time: unknown unit ${quoted(unit)} in duration ${quoted(text4)}` };
    }
    if (value > magnitudeLimit / nanoseconds) return invalid;
    total += value * nanoseconds + fractionOf(fraction, nanoseconds);
    if (total > magnitudeLimit) return invalid;
    rest = rest.slice(number2.length + unit.length);
  }
  if (sign === "-") return { nanoseconds: -total };
  return total === magnitudeLimit ? invalid : { nanoseconds: total };
}
function fractionOf(digits, unit) {
  const kept = digits.slice(0, 18);
  if (kept === "") return 0n;
  return BigInt(Math.trunc(Number(kept) * (Number(unit) / 10 ** kept.length)));
}
function quoted(text4) {
  const escaped4 = text4.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(
    /[^ -\x7f]/gu,
    (character) => Buffer.from(character).toString("hex").replaceAll(/../g, String.raw`\x$&`)
  );
  return `"${escaped4}"`;
}

// src/text/go/escapes.ts
var letters = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "	", v: "\v", "\\": "\\" };
var escaped = new Map(
  Object.entries({ ...letters, '"': '"' }).map(([letter, character]) => [character, `\\${letter}`])
);
var unescaped = new Map(
  Object.entries({ ...letters, "'": "'" })
);

// src/text/go/quote.ts
var printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
function quote(text4) {
  if (/^[ !#-[\]-~]*$/.test(text4)) return `"${text4}"`;
  let quoted2 = '"';
  for (const character of text4) {
    quoted2 += escaped.get(character) ?? (printable.test(character) ? character : escape(character));
  }
  return `${quoted2}"`;
}
function escape(character) {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 55296 && point <= 57343) return "\uFFFD";
  const hex = point.toString(16);
  if (point < 32 || point === 127) return `\\x${hex.padStart(2, "0")}`;
  return point < 65536 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

// src/text/go/marshal-json.ts
function notation(text4, number2) {
  return {
    scalar: (value) => isNumber(value) ? number2(value) : typeof value === "string" ? text4(value) : String(value),
    key: (key2) => `${text4(key2)}:`,
    list: ["[", ",", "]"],
    map: ["{", ",", "}"]
  };
}
var marshalled = notation(
  (text4) => escaped2(text4, /[<>&\u2028\u2029]/g),
  // JavaScript prints a plain number as its literal stood.
  (value) => typeof value === "number" ? float3(value) : String(int64Of(value) ?? float3(value.value))
);
var encoded = notation(
  (text4) => escaped2(text4, /[\u2028\u2029]/g),
  (value) => float3(float64Of(value))
);
function float3(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}
function escaped2(text4, characters) {
  return JSON.stringify(text4.replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD")).replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  );
}

// src/text/go/utf8.ts
function byteLength(text4) {
  return Buffer.byteLength(text4);
}

// src/text/versions/integer.ts
var MAX_UINT64 = 2n ** 64n - 1n;
function readUint64(text4) {
  if (!/^[0-9]+$/.test(text4)) return void 0;
  if (text4.length < 16) return Number(text4);
  const value = decimalOf(text4);
  return value === void 0 || value > MAX_UINT64 ? void 0 : smallest(value);
}
function parseUint64(text4) {
  const value = readUint64(text4);
  if (value !== void 0) return value;
  const reason = /^[0-9]+$/.test(text4) ? "value out of range" : "invalid syntax";
  throw new InvalidVersionError(`strconv.ParseUint: parsing ${quote(text4)}: ${reason}`);
}
function readInt64(text4) {
  if (!/^[+-]?[0-9]+$/.test(text4)) return void 0;
  const value = decimalOf(text4);
  return value === void 0 || value > maxInt64 || value < minInt64 ? void 0 : value;
}
function compareIntegers(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
function smallest(value) {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

// src/text/versions/version.ts
var plain2 = /^(?!.*[0-9]{16})[0-9][0-9A-Za-z.+-]{0,255}$/;
function parseVersion(text4) {
  const read2 = plain2.test(text4) ? import_semver.default.parse(text4) : null;
  if (read2 === null) return parseExactly(text4);
  const { major, minor, patch, prerelease, build } = read2;
  return { major, minor, patch, prerelease, build };
}
function readVersion(text4) {
  try {
    return parseVersion(text4);
  } catch (error) {
    if (error instanceof InvalidVersionError) return void 0;
    throw error;
  }
}
function compareVersions(a, b) {
  if (a.major !== b.major) return compareIntegers(a.major, b.major);
  if (a.minor !== b.minor) return compareIntegers(a.minor, b.minor);
  if (a.patch !== b.patch) return compareIntegers(a.patch, b.patch);
  return comparePrereleases(a.prerelease, b.prerelease);
}
function comparePrereleases(a, b) {
  if (a.length === 0 || b.length === 0) return compareIntegers(b.length, a.length);
  return compareIdentifiers(a, b);
}
function compareIdentifiers(a, b) {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === void 0) return 1;
    const order4 = compareIdentifier(left, right);
    if (order4 !== 0) return order4;
  }
  return compareIntegers(a.length, b.length);
}
function formatVersion(version2) {
  const { major, minor, patch, prerelease, build } = version2;
  const suffix = prerelease.length > 0 ? `-${prerelease.join(".")}` : "";
  return `${major}.${minor}.${patch}${suffix}${build.length > 0 ? `+${build.join(".")}` : ""}`;
}
function parseIdentifier(text4) {
  if (text4 === "") throw new InvalidVersionError("Prerelease is empty");
  if (/^[0-9]+$/.test(text4)) {
    if (hasLeadingZero(text4)) {
      throw new InvalidVersionError(
        `Numeric PreRelease version must not contain leading zeroes ${quote(text4)}`
      );
    }
    return parseUint64(text4);
  }
  if (/^[0-9A-Za-z-]+$/.test(text4)) return text4;
  throw new InvalidVersionError(`Invalid character(s) found in prerelease ${quote(text4)}`);
}
function compareIdentifier(a, b) {
  if (typeof a === "bigint" || typeof b === "bigint") {
    if (typeof a === "string") return 1;
    return typeof b === "string" ? -1 : compareIntegers(a, b);
  }
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return import_semver.default.compareIdentifiers(String(a), String(b));
}
function parseExactly(text4) {
  if (text4 === "") throw new InvalidVersionError("Version string empty");
  const [majorText, minorText, ...rest] = text4.split(".");
  if (majorText === void 0 || minorText === void 0 || rest.length === 0) {
    throw new InvalidVersionError("No Major.Minor.Patch elements found");
  }
  const major = parseNumber(majorText, "major");
  const minor = parseNumber(minorText, "minor");
  const [withoutBuild, buildText] = cut(rest.join("."), "+");
  const [patchText, prereleaseText] = cut(withoutBuild, "-");
  return {
    major,
    minor,
    patch: parseNumber(patchText, "patch"),
    prerelease: prereleaseText?.split(".").map(parseIdentifier) ?? [],
    build: buildText?.split(".").map(parseBuildIdentifier) ?? []
  };
}
function parseNumber(text4, part2) {
  if (!/^[0-9]*$/.test(text4)) {
    throw new InvalidVersionError(`Invalid character(s) found in ${part2} number ${quote(text4)}`);
  }
  if (hasLeadingZero(text4)) {
    const name2 = `${part2.charAt(0).toUpperCase()}${part2.slice(1)}`;
    throw new InvalidVersionError(`${name2} number must not contain leading zeroes ${quote(text4)}`);
  }
  return parseUint64(text4);
}
function parseBuildIdentifier(text4) {
  if (text4 === "") throw new InvalidVersionError("Build meta data is empty");
  if (/^[0-9A-Za-z-]+$/.test(text4)) return text4;
  throw new InvalidVersionError(`Invalid character(s) found in build meta data ${quote(text4)}`);
}
function hasLeadingZero(digits) {
  return digits.length > 1 && digits.startsWith("0");
}
function cut(text4, separator2) {
  const index = text4.indexOf(separator2);
  return index < 0 ? [text4, void 0] : [text4.slice(0, index), text4.slice(index + 1)];
}

// src/text/versions/blang-range.ts
function parseBlangRange(text4) {
  const range = readBlangRange(text4);
  return (version2) => matchesBlangRange(range, version2, text4);
}
var plain3 = /^[<>=!]{0,2}[0-9]+\.[0-9.]*(?: [<>=!]{0,2}[0-9]+\.[0-9.]*)*$/;
function readBlangRange(text4) {
  if (plain3.test(text4))
    return { alternatives: [text4.split(" ").map(parseComparison)], dropped: [] };
  const { words: words2, dropped } = splitWords(text4);
  const alternatives = splitAlternatives(words2).map((alternative2) => alternative2.flatMap(expandWildcard)).map((alternative2) => alternative2.map(parseComparison));
  return { alternatives, dropped };
}
function matchesBlangRange(range, version2, text4) {
  return range.alternatives.some((comparisons2) => {
    if (comparisons2.length === 0) {
      throw new InvalidRangeError(
        `Range ${quote(text4)} has nothing between two '||', which crashes OLM: write a comparison there or remove one '||'`
      );
    }
    return comparisons2.every((comparison) => holds(comparison, version2));
  });
}
function holds({ operator: operator2, version: bound }, version2) {
  const order4 = compareVersions(version2, bound);
  switch (operator2) {
    case "=":
      return order4 === 0;
    case "!=":
      return order4 !== 0;
    case "<":
      return order4 < 0;
    case "<=":
      return order4 <= 0;
    case ">":
      return order4 > 0;
    case ">=":
      return order4 >= 0;
  }
}
function splitWords(text4) {
  const words2 = [];
  const dropped = [];
  let start = 0;
  let last = "";
  const finish = (end2) => {
    const word = text4.slice(start, end2);
    if (Buffer.byteLength(word) > 1) words2.push(word.replaceAll(" ", ""));
    else if (word !== "") dropped.push(word);
  };
  for (let index = 0; index < text4.length; index++) {
    const character = text4.charAt(index);
    if (character !== " ") last = character;
    else if (!["<", ">", "="].includes(last)) {
      finish(index);
      start = index + 1;
    }
  }
  finish(text4.length);
  return { words: words2, dropped };
}
function splitAlternatives(words2) {
  const alternatives = [[]];
  for (const word of words2) {
    if (word === "||") alternatives.push([]);
    else alternatives.at(-1)?.push(word);
  }
  if (words2[0] === "||") throw new InvalidRangeError("First element in range is '||'");
  if (words2.length === 0 || words2.at(-1) === "||") {
    throw new InvalidRangeError("Last element in range is '||'");
  }
  return alternatives;
}
function expandWildcard(word) {
  if (!word.includes("x")) return [word];
  const [operator2, text4] = splitComparison(word);
  const floor = wildcardFloor(text4);
  const ceiling = wildcardCeiling(text4, floor);
  switch (operator2) {
    case ">":
      return [`>=${ceiling}`];
    case ">=":
      return [`>=${floor}`];
    case "<":
      return [`<${floor}`];
    case "<=":
      return [`<${ceiling}`];
    case "":
    case "=":
    case "==":
      return [`>=${floor}`, `<${ceiling}`];
    case "!":
    case "!=":
      return [`<${floor}`, `>=${ceiling}`];
    default:
      return [floor];
  }
}
function wildcardFloor(text4) {
  const flat = text4.replace(".x.x", ".x").replace(".x", ".0");
  return flat.split(".").length === 2 ? `${flat}.0` : flat;
}
function wildcardCeiling(text4, floor) {
  const parts2 = text4.split(".");
  if (parts2.at(-1) !== "x") return "";
  if (parts2.length === 3) return increment(floor, 1);
  return parts2.length === 2 ? increment(floor, 0) : "";
}
function increment(floor, index) {
  const parts2 = floor.split(".");
  const value = readInt64(parts2[index] ?? "");
  if (value === void 0) return "";
  parts2[index] = BigInt.asIntN(64, value + 1n).toString();
  return parts2.join(".");
}
function parseComparison(word) {
  const [operatorText, versionText] = splitComparison(word);
  const whole = quote(operatorText + versionText);
  const operator2 = readOperator(operatorText);
  if (operator2 === void 0) {
    throw new InvalidRangeError(
      `Could not parse Range ${quote(word)}: Could not parse comparator ${quote(operatorText)} in ${whole}`
    );
  }
  try {
    return { operator: operator2, version: parseVersion(versionText) };
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    throw new InvalidRangeError(
      `Could not parse Range ${quote(word)}: Could not parse version ${quote(versionText)} in ${whole}: ${error.message}`
    );
  }
}
function splitComparison(word) {
  const index = word.search(new RegExp("[0-9]|\\p{Nd}", "u"));
  if (index < 0) {
    throw new InvalidRangeError(`Could not get version from string: ${quote(word)}`);
  }
  return [trim(word.slice(0, index)), word.slice(index)];
}
function trim(text4) {
  return text4.replace(/^[\p{Z}\t-\r\u0085]+/u, "").replace(/[\p{Z}\t-\r\u0085]+$/u, "");
}
function readOperator(text4) {
  switch (text4) {
    case "":
    case "=":
    case "==":
      return "=";
    case "!":
    case "!=":
      return "!=";
    case "<":
    case "<=":
    case ">":
    case ">=":
      return text4;
    default:
      return void 0;
  }
}

// src/text/versions/masterminds-parse.ts
var blank = "[\\t\\n\\f\\r ]";
var part = "[0-9|xX*]+";
var identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
var versionPattern = `v?(${part})(?:\\.(${part}))?(?:\\.(${part}))?(?:-(${identifiers}))?(?:\\+(${identifiers}))?`;
var versionWithoutGroups = versionPattern.replaceAll(/\((?!\?)/g, "(?:");
var hyphenRange = new RegExp(
  `${blank}*(${versionWithoutGroups})${blank}+-${blank}+(${versionWithoutGroups})${blank}*`,
  "g"
);
var wholeVersion = new RegExp(`^${versionPattern}$`);
var term = new RegExp(`${blank}*([=!<>~^]*)${blank}*([^\\t\\n\\f\\r ,]+)`, "y");
var separator = new RegExp(`${blank}+,?|,`, "y");
var blanks = new RegExp(`^${blank}+|${blank}+$`, "g");

// src/text/versions/api-range.ts
var blank2 = "[\\t\\n\\f\\r ]";
var number = "0|[1-9][0-9]*";
var identifiers2 = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
var tags = `(?:-${identifiers2})?(?:\\+${identifiers2})?`;
var operator = "(?:!=|>=|=>|<=|=<|~>|[=<>~^])?";
var end = `(?=[\\t\\n\\f\\r ,|]|$)`;
var firstVersion = `v?(?:${number}|[xX*|])(?:\\.(?:${number}|x|X|\\*\\]))?(?:\\.(?:${number}|x|X|\\*))?${tags}`;
var nextVersion = `v?(?:${number}|x|X|\\*\\])(?:\\.(?:${number}|x|X|\\*))?(?:\\.(?:${number}|x|X|\\*\\]))?${tags}`;
var firstTerm = new RegExp(`${blank2}*${operator}${blank2}*${firstVersion}${end}`, "y");
var nextTerm = new RegExp(
  `(?:${blank2}*(?:\\|\\||,)${blank2}*|${blank2}+)${operator}${blank2}*${nextVersion}${end}`,
  "y"
);
var trailing = new RegExp(`${blank2}*$`, "y");

// src/cel/errors.ts
var EvaluationError = class extends Error {
  name = "EvaluationError";
};
var Panic = class extends Error {
  name = "Panic";
};
function noSuchOverload() {
  return new EvaluationError("no such overload");
}
var NotEvaluable = class extends Error {
  name = "NotEvaluable";
};
var CompilerPanic = class extends NotEvaluable {
};
var tooManySteps = "the rules need more steps than are allowed";

// src/cel/budget.ts
var current = { steps: 0 };
function within(budget, run) {
  const outer = current;
  current = budget;
  try {
    return run();
  } finally {
    current = outer;
  }
}
function spend(steps2) {
  current.steps -= steps2;
  if (current.steps < 0) throw new NotEvaluable(tooManySteps);
}
function spendOnText(length) {
  spend(length / 10);
}

// src/cel/values.ts
var Uint = class {
  constructor(value) {
    this.value = value;
  }
  value;
};
var Timestamp = class {
  constructor(nanoseconds, offsetMinutes2 = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes2;
  }
  nanoseconds;
  offsetMinutes;
};
var Duration = class {
  constructor(nanoseconds) {
    this.nanoseconds = nanoseconds;
  }
  nanoseconds;
};
var TypeValue = class {
  constructor(typeName2) {
    this.typeName = typeName2;
  }
  typeName;
};
var Optional = class {
  constructor(content) {
    this.content = content;
  }
  content;
  /** Also when its value is an error. */
  get isPresent() {
    return this.content !== void 0;
  }
  /** @throws EvaluationError */
  get value() {
    if (this.content instanceof EvaluationError) throw this.content;
    return this.content;
  }
};
var noValue = new Optional(void 0);
var Opaque = class {
  /** Its Go type and value as `%T` and `%v` print them, where it is data that cel-go cannot read again. */
  get goData() {
    return void 0;
  }
};
var CelList = class {
  /** Lists of a resource do not say that they are empty, and are equal to what cannot be read. */
  isOfResource = false;
  /** As an optional value holds it. */
  withoutSchema() {
    return this;
  }
  *items() {
    for (let index = 0; index < this.size; index++) {
      spend(1);
      yield this.at(index);
    }
  }
};
var CelMap = class {
  /** As of lists. */
  isOfResource = false;
  /** As an optional value holds it. */
  withoutSchema() {
    return this;
  }
};
var maxInt = 2n ** 63n - 1n;
var minInt = -(2n ** 63n);
var maxUint = 2n ** 64n - 1n;

// src/cel/equal.ts
function equal(left, right) {
  return right === null ? left === null : isEqualTo(left, right);
}
function isEqualTo(left, right) {
  spend(1);
  if (left === null) return right === null;
  switch (typeof left) {
    case "boolean":
      return left === right;
    case "string":
      if (typeof right !== "string" || left.length !== right.length) return false;
      spendOnText(left.length);
      return left === right;
    case "bigint":
    case "number":
      return sameNumber(left, right);
    default:
      break;
  }
  if (left instanceof Uint) return sameNumber(left, right);
  if (left instanceof CelList || left instanceof CelMap) return left.equals(right);
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.typeName === right.typeName;
  }
  if (left instanceof Optional) return sameOptional(left, right);
  return left.equals(right);
}
function sameOptional(left, right) {
  if (!(right instanceof Optional)) return false;
  const [one2, other] = [left.value, right.value];
  if (one2 === void 0 || other === void 0) return one2 === other;
  return isEqualTo(one2, other);
}
function sameNumber(left, right) {
  if (!isNumber2(right) || Number.isNaN(left) || Number.isNaN(right)) return false;
  return compareNumbers(left, right) === 0;
}
function isNumber2(value) {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}
function compareNumbers(left, right) {
  const one2 = left instanceof Uint ? left.value : left;
  const other = right instanceof Uint ? right.value : right;
  if (typeof one2 === typeof other) return order(one2, other);
  return order(Number(one2), Number(other));
}
function order(one2, other) {
  return one2 < other ? -1 : one2 > other ? 1 : 0;
}
function attempt(read2) {
  try {
    return read2();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}
function equalLoosely(left, right) {
  if (left instanceof EvaluationError) return true;
  if (right instanceof EvaluationError) {
    const isCollection = left instanceof CelList || left instanceof CelMap;
    return left instanceof Opaque || isCollection && left.isOfResource;
  }
  return attempt(() => equal(left, right)) !== false;
}

// src/cel/syntax/tree.ts
function childrenOf(node) {
  switch (node.kind) {
    case "select":
      return [node.operand];
    case "call":
      return node.target === void 0 ? node.args : [node.target, ...node.args];
    case "list":
      return node.items;
    case "map":
      return node.entries.flatMap(({ key: key2, value }) => [key2, value]);
    case "struct":
      return node.fields.map(({ value }) => value);
    case "fold":
      return [node.range, node.initial, node.condition, node.step, node.result];
    default:
      return [];
  }
}
function dottedName(node) {
  if (node.kind === "identifier") return node.name;
  if (node.kind !== "select" || node.isTest) return void 0;
  const operand = dottedName(node.operand);
  return operand === void 0 ? void 0 : `${operand}.${node.field}`;
}

// src/cel/types.ts
function simple(kind, name2 = kind) {
  return { kind, name: name2, parameters: [] };
}
var types2 = {
  dyn: simple("dyn"),
  /** google.protobuf.Any: like dyn, but no comprehension ranges over it. */
  any: simple("any", "google.protobuf.Any"),
  /** Of an expression with a mistake, which fits everywhere so that the mistake is named once. */
  error: simple("error"),
  bool: simple("bool"),
  int: simple("int"),
  uint: simple("uint"),
  double: simple("double"),
  string: simple("string"),
  bytes: simple("bytes"),
  null: simple("null", "null_type"),
  timestamp: simple("timestamp", "google.protobuf.Timestamp"),
  duration: simple("duration", "google.protobuf.Duration"),
  /** The type of types, whatever they are. */
  type: simple("type")
};
function listOfType(item) {
  return { kind: "list", name: "list", parameters: [item] };
}
function mapOfType(key2, value) {
  return { kind: "map", name: "map", parameters: [key2, value] };
}
function opaqueType(name2, ...parameters) {
  return { kind: "opaque", name: name2, parameters };
}
function optionalOf(content) {
  return opaqueType("optional_type", content);
}
function typeOfType(of) {
  return { kind: "type", name: "type", parameters: [of] };
}
function objectType(name2, fields) {
  return { kind: "object", name: name2, parameters: [], ...fields && { fields } };
}
function parameterType(name2) {
  return simple("parameter", name2);
}
function isOptional(type2) {
  return type2.kind === "opaque" && type2.name === "optional_type" && type2.parameters.length > 0;
}
function withoutOptional(type2) {
  return isOptional(type2) ? type2.parameters[0] : type2;
}
function isDynamic({ kind }) {
  return kind === "dyn" || kind === "any";
}
function sameType(one2, other, sameVariables = true) {
  if (one2 === other) return true;
  if (one2.kind !== other.kind || one2.parameters.length !== other.parameters.length) return false;
  if ((sameVariables || one2.kind !== "parameter") && one2.name !== other.name) return false;
  return one2.parameters.every(
    (parameter, index) => sameType(parameter, other.parameters[index], sameVariables)
  );
}
var printedKinds = /* @__PURE__ */ new Map([
  ["any", "any"],
  ["duration", "duration"],
  ["error", "!error!"],
  ["null", "null"],
  ["timestamp", "timestamp"]
]);
function typeText({ kind, name: name2, parameters }) {
  const printed2 = printedKinds.get(kind) ?? name2;
  return parameters.length === 0 ? printed2 : `${printed2}(${parameters.map(typeText).join(", ")})`;
}

// src/cel/cost/range.ts
var most = 2n ** 64n - 1n;
var unknown = { min: 0n, max: most };
function exactly(count) {
  return { min: BigInt(count), max: BigInt(count) };
}
var nothing2 = exactly(0);
var one = exactly(1);
var bounded = (value) => value > most ? most : value;
function plus(...ranges2) {
  let [min, max] = [0n, 0n];
  for (const range of ranges2) {
    min = bounded(min + range.min);
    max = bounded(max + range.max);
  }
  return { min, max };
}
function times(left, right) {
  return { min: bounded(left.min * right.min), max: bounded(left.max * right.max) };
}
function scaled({ min, max }, factor) {
  return { min: scaledOne(min, factor), max: scaledOne(max, factor) };
}
function scaledOne(count, factor) {
  const product = Math.ceil(Number(count) * factor);
  return product >= 2 ** 64 ? most : BigInt(product);
}
function union(left, right) {
  return {
    min: left.min < right.min ? left.min : right.min,
    max: left.max > right.max ? left.max : right.max
  };
}

// src/cel/cost/call-costs.ts
var perCharacter = 0.1;
var perCharacterOfPattern = 0.25;
var newList = 10;
var longestFormat = 128;
var longestFormatName = 64n;
var sizeOf = (operand) => operand?.size ?? unknown;
var traversed = (size, passes = 1) => scaled(size, passes * perCharacter);
function table(...rows) {
  return new Map(
    rows.flatMap(([names3, estimate]) => names3.split(" ").map((name2) => [name2, estimate]))
  );
}
var comparable = "int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes".split(" ");
function allocating(factor, size) {
  return { cost: plus(scaled(size, factor), exactly(1 + newList)), size };
}
var sorting = (type2, keys) => (call) => {
  const size = sizeOf(keys(call));
  const isText = type2 === "string" || type2 === "bytes";
  return allocating(isText ? 2 + perCharacter : 2, times(size, size));
};
var comparingSets = (factor) => ({ args: [left, right] }) => ({
  cost: plus(scaled(times(sizeOf(left), sizeOf(right)), factor), one)
});
function literalCount({ node }, otherwise) {
  if (node.kind !== "literal" || typeof node.value !== "bigint") return otherwise;
  return node.value < 0n ? 0n : node.value;
}
var flattening = ({ target, args: [depth] }) => allocating(Number(depth === void 0 ? 1n : literalCount(depth, most)), sizeOf(target));
var ofOverload = table(
  ["list_sets_contains_list list_sets_intersects_list", comparingSets(1)],
  ["list_sets_equivalent_list", comparingSets(2)],
  [
    "list_slice",
    ({ target, args: [start, end2] }) => {
      const last = literalCount(end2, sizeOf(target).max);
      return allocating(1, exactly(BigInt.asUintN(64, last - literalCount(start, 0n))));
    }
  ],
  ["list_flatten list_flatten_int", flattening],
  [
    "lists_range",
    ({ args: [count] }) => allocating(1, exactly(literalCount(count, most)))
  ],
  ["list_reverse", ({ target }) => allocating(1, sizeOf(target))],
  ["list_distinct", ({ target }) => allocating(2, times(sizeOf(target), sizeOf(target)))],
  ...comparable.flatMap((type2) => [
    [`list_${type2}_sort`, sorting(type2, ({ target }) => target)],
    [`list_${type2}_sortByAssociatedKeys`, sorting(type2, ({ args }) => args[0])]
  ])
);
var walking = ({ target }) => {
  if (target === void 0) return void 0;
  const [item] = target.type.parameters;
  if (item === void 0) return { cost: traversed(sizeOf(target)) };
  const isText = item.kind === "string" || item.kind === "bytes";
  const each = isText ? plus(one, traversed(target.itemSize() ?? unknown)) : one;
  return { cost: times(sizeOf(target), each) };
};
var parsing = ({ args: [text4] }) => text4 && { cost: traversed(sizeOf(text4)) };
function replacedSize(text4, from, to) {
  const [longest, shortest] = [
    replacements(text4.max, from.min, to.max <= from.min),
    replacements(text4.min, from.max, from.max <= to.min)
  ];
  return plus(times({ min: shortest.count, max: longest.count }, to), {
    min: shortest.kept,
    max: longest.kept
  });
}
function replacements(length, from, isUnchanged) {
  if (from === 0n) return { count: length < most ? length + 1n : length, kept: length };
  if (isUnchanged) return { count: 0n, kept: length };
  const count = Math.ceil(Number(length) / Number(from));
  return { count: count >= 2 ** 64 ? most : BigInt(count), kept: 0n };
}
var matching = (text4, pattern) => times(traversed(plus(text4, one)), scaled(pattern, perCharacterOfPattern));
var address = { min: 4n, max: 16n };
var containing = (ofText, base) => ({ overload, args: [inner] }) => ({
  cost: overload === ofText ? plus(base, traversed(sizeOf(inner))) : base
});
var ofFunction = table(
  ["isSorted sum max min indexOf lastIndexOf", walking],
  ["url", ({ args: [text4] }) => ({ cost: traversed(sizeOf(text4)), size: sizeOf(text4) })],
  [
    "lowerAscii upperAscii substring trim",
    ({ target }) => target && { cost: traversed(sizeOf(target)), size: sizeOf(target) }
  ],
  [
    "replace",
    ({ target, args: [from, to] }) => ({
      cost: traversed(sizeOf(target), 2),
      size: replacedSize(sizeOf(target), sizeOf(from), sizeOf(to))
    })
  ],
  [
    "split",
    ({ target, args: [, count] }) => {
      const literal4 = count?.node.kind === "literal" ? count.node.value : void 0;
      const max = typeof literal4 === "bigint" ? BigInt.asUintN(64, literal4) : sizeOf(target).max;
      return { cost: traversed(sizeOf(target), 2), size: { min: 0n, max } };
    }
  ],
  [
    "join",
    ({ target, args: [separator2] }) => {
      const count = sizeOf(target);
      const hasItems = target?.type.parameters[0] !== void 0;
      const items = hasItems ? times(count, target.itemSize() ?? unknown) : nothing2;
      const between = (items_) => items_ > 0n ? items_ - 1n : 0n;
      const separators = { min: between(count.min), max: between(count.max) };
      const size = separator2 ? plus(items, times(sizeOf(separator2), separators)) : items;
      return { cost: traversed(size), size };
    }
  ],
  [
    "find findAll",
    ({ target, args: [pattern] }) => ({
      cost: matching(sizeOf(target), sizeOf(pattern)),
      size: { min: 0n, max: sizeOf(target).max }
    })
  ],
  ["cidr isIP isCIDR quantity isQuantity semver isSemver", parsing],
  ["ip", (call) => call.overload === "cidr_ip" ? { cost: one } : parsing(call)],
  ["ip.isCanonical", ({ args: [text4] }) => ({ cost: traversed(sizeOf(text4), 2) })],
  ["containsIP", containing("cidr_contains_ip_string", traversed(plus(address, address)))],
  [
    "containsCIDR",
    containing(
      "cidr_contains_cidr_string",
      plus(traversed(plus(address, address)), traversed(address), one)
    )
  ],
  [
    "validate",
    ({ args: [text4] }) => ({
      cost: scaled(traversed(sizeOf(text4)), longestFormat * perCharacterOfPattern)
    })
  ],
  [
    "_==_",
    ({ args: [left, right] }) => left && right && sameType(left.type, right.type) ? ofKnownEquality(left.type, right) : void 0
  ]
);
function ofKnownEquality({ name: name2 }, right) {
  switch (name2) {
    case "net.IP":
    case "net.CIDR":
    case "kubernetes.Quantity":
    case "kubernetes.Semver":
      return { cost: one };
    case "kubernetes.NamedFormat":
      return { cost: traversed({ min: 1n, max: longestFormatName }) };
    case "kubernetes.URL":
      return { cost: traversed({ min: 1n, max: right.size?.max ?? 1n }) };
    default:
      return void 0;
  }
}
var both = ({ args: [left, right] }) => {
  const size = plus(sizeOf(left), sizeOf(right));
  return { cost: traversed(size), size };
};
var comparingTexts = ["less", "greater", "less_equals", "greater_equals"].flatMap((order4) => [`${order4}_string`, `${order4}_bytes`]).join(" ");
var ofStandard = table(
  ["logical_and logical_or", () => ({ cost: nothing2 })],
  ["string_format", ({ target }) => ({ cost: traversed(sizeOf(target)) })],
  [
    "string_to_bytes",
    ({ args: [text4] }) => {
      const { min, max } = sizeOf(text4);
      return { cost: traversed({ min, max }), size: { min, max: BigInt.asUintN(64, max * 4n) } };
    }
  ],
  [
    "bytes_to_string",
    ({ args: [bytes] }) => {
      const { min, max } = sizeOf(bytes);
      return { cost: traversed({ min, max }), size: { min: min / 4n, max } };
    }
  ],
  [
    "strings_quote",
    ({ args: [text4] }) => {
      const { min, max } = sizeOf(text4);
      const size = { min: min + 2n, max: BigInt.asUintN(64, max * 2n + 2n) };
      return { cost: traversed({ min, max }), size };
    }
  ],
  [
    "starts_with_string ends_with_string",
    ({ args: [part2] }) => ({ cost: traversed(sizeOf(part2)) })
  ],
  ["in_list", ({ args: [, list2] }) => ({ cost: sizeOf(list2) })],
  [
    "matches_string",
    ({ target, args: [pattern] }) => target && { cost: matching(sizeOf(target), sizeOf(pattern)) }
  ],
  [
    "contains_string",
    ({ target, args: [part2] }) => ({
      cost: times(traversed(sizeOf(target)), traversed(sizeOf(part2)))
    })
  ],
  ["add_string add_bytes", both],
  ["add_list", (call) => ({ ...both(call), cost: one })],
  [
    `equals not_equals ${comparingTexts}`,
    ({ args: [left, right] }) => {
      const [one_, other] = [sizeOf(left).max, sizeOf(right).max];
      const max = one_ < other ? one_ : other;
      return { cost: traversed({ min: max > 0n ? 1n : 0n, max }) };
    }
  ],
  [
    "conditional",
    ({ args: [, yes2, no2] }) => ({ cost: nothing2, size: union(sizeOf(yes2), sizeOf(no2)) })
  ]
);

// src/cel/cost/declared-sizes.ts
var Path = class _Path {
  constructor(names3, capacity, length) {
    this.names = names3;
    this.capacity = capacity;
    this.length = length;
  }
  names;
  capacity;
  length;
  static none = new _Path([], 0, 0);
  static of(name2) {
    return new _Path([name2], 1, 1);
  }
  with(name2) {
    if (this.length < this.capacity) {
      this.names[this.length] = name2;
      return new _Path(this.names, this.capacity, this.length + 1);
    }
    const names3 = [...this.names.slice(0, this.length), name2];
    return new _Path(names3, Math.max(1, 2 * this.capacity), this.length + 1);
  }
  /** What is declared there; the first name is the variable, whichever it is. */
  find(root) {
    if (this.length === 0) return void 0;
    let found2 = root;
    for (let index = 1; index < this.length; index++) {
      const name2 = this.names[index];
      if (name2 === "@items" || name2 === "@values") found2 = found2?.item;
      else if (name2 === "@keys") found2 = found2?.key;
      else found2 = found2?.fields?.get(name2);
    }
    return found2;
  }
};

// src/cel/cost/estimate.ts
var newList2 = exactly(10);
var newMap = exactly(30);
var newMessage = exactly(40);

// src/cel/overloads.ts
function declare(rows, unguarded = []) {
  const byName = /* @__PURE__ */ new Map();
  for (const [id, signature, run] of rows) {
    const overload = { ...readSignature(signature), id, run };
    const overloads = byName.get(overload.name) ?? [];
    overloads.push(overload);
    byName.set(overload.name, overloads);
  }
  return [...byName].map(([name2, overloads]) => ({
    name: name2,
    overloads,
    isUnguarded: unguarded.includes(name2)
  }));
}
function declareWhole(overloads, whole) {
  const read2 = overloads.map(([id, signature]) => ({ ...readSignature(signature), id }));
  return { name: read2[0]?.name ?? "", overloads: read2, whole, isUnguarded: false };
}
var FunctionTable = class {
  byName = /* @__PURE__ */ new Map();
  constructor(libraries) {
    for (const added of libraries.flat()) {
      const known2 = this.byName.get(added.name);
      if (known2 === void 0) this.byName.set(added.name, added);
      else {
        const overloads = [...known2.overloads, ...added.overloads];
        this.byName.set(added.name, { ...known2, ...added, overloads });
      }
    }
  }
  find(name2) {
    return this.byName.get(name2.startsWith(".") ? name2.slice(1) : name2);
  }
  [Symbol.iterator]() {
    return this.byName.values();
  }
};
function readSignature(signature) {
  const match = /^(?:([\w.]+(?:\([\w, ().]*\))?):)?([\w.@?:[\]!+\-*/%<>=&|]+)\((.*)\) ([\w.(), ]+)$/.exec(
    signature
  );
  if (match === null) throw new Error(`cannot read the signature ${signature}`);
  const [, receiver, name2 = "", parameters = "", result = ""] = match;
  const own2 = split(parameters).map(readType);
  return {
    name: name2,
    isMember: receiver !== void 0,
    parameters: receiver === void 0 ? own2 : [readType(receiver), ...own2],
    result: readType(result),
    variables: [...new Set(signature.match(/\b[A-Z]\b/g))]
  };
}
var namedTypes = new Map(Object.entries(types2));
function readType(text4) {
  if (/^[A-Z]$/.test(text4)) return parameterType(text4);
  const open = text4.indexOf("(");
  const name2 = open < 0 ? text4 : text4.slice(0, open);
  const parameters = open < 0 ? [] : split(text4.slice(open + 1, -1)).map(readType);
  const [first, second3] = parameters;
  if (first === void 0) {
    if (name2.startsWith("net.")) return opaqueType(name2);
    return namedTypes.get(name2) ?? objectType(name2);
  }
  if (name2 === "list") return listOfType(first);
  if (name2 === "map") return mapOfType(first, second3 ?? types2.dyn);
  return name2 === "type" ? typeOfType(first) : opaqueType(name2, ...parameters);
}
function split(text4) {
  const parts2 = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text4.length; index++) {
    const character = text4[index];
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === void 0 || character === "," && depth === 0) {
      const part2 = text4.slice(start, index).trim();
      if (part2 !== "") parts2.push(part2);
      start = index + 1;
    }
  }
  return parts2;
}

// src/cel/syntax/macros.ts
var MacroMistake = class extends Error {
  constructor(message, position) {
    super(message);
    this.position = position;
  }
  position;
};
var accumulator = "@result";
var accumulators = [accumulator, "__result__"];
function builder(position) {
  const node = {
    literal: (value) => ({ kind: "literal", position, value }),
    name: (name2) => ({ kind: "identifier", position, name: name2 }),
    result: () => node.name(accumulator),
    call: (name2, ...args) => ({ kind: "call", position, name: name2, args }),
    member: (target, name2, ...args) => ({
      kind: "call",
      position,
      name: name2,
      target,
      args
    }),
    list: (...items) => ({ kind: "list", position, items, optional: /* @__PURE__ */ new Set() }),
    map: () => ({ kind: "map", position, entries: [] }),
    fold: (parts2) => ({ kind: "fold", position, ...parts2 }),
    /** A fold over nothing, whose accumulator is the variable. */
    bind: (variable, value, body) => node.fold({
      range: node.list(),
      variable: "#unused",
      accumulator: variable,
      initial: value,
      condition: node.literal(false),
      step: node.name(variable),
      result: body
    })
  };
  return node;
}
function variableName(node, message) {
  if (node.kind !== "identifier") throw new MacroMistake(message, node.position);
  return node.name;
}
function refuseAccumulator(name2, position) {
  if (!accumulators.includes(name2)) return;
  throw new MacroMistake("iteration variable overwrites accumulator variable", position);
}
function variablesOf(args, count, message) {
  const [first, second3] = args;
  const variable = variableName(first, message);
  if (count === 1) {
    refuseAccumulator(variable, first.position);
    return { variable };
  }
  const secondVariable = variableName(second3, message);
  if (variable === secondVariable) {
    throw new MacroMistake(`duplicate variable name: ${variable}`, second3.position);
  }
  refuseAccumulator(variable, first.position);
  refuseAccumulator(secondVariable, second3.position);
  return { variable, secondVariable };
}
var simpleName = "argument must be a simple name";
function quantify(count, parts2) {
  return ({ position, target, args }) => {
    const variables = variablesOf(args, count, simpleName);
    const node = builder(position);
    const fold = parts2(node, args[count]);
    return node.fold({ range: target, ...variables, accumulator, ...fold });
  };
}
var all = (node, predicate) => ({
  initial: node.literal(true),
  condition: node.call("@not_strictly_false", node.result()),
  step: node.call("_&&_", node.result(), predicate),
  result: node.result()
});
var exists = (node, predicate) => ({
  initial: node.literal(false),
  condition: node.call("@not_strictly_false", node.call("!_", node.result())),
  step: node.call("_||_", node.result(), predicate),
  result: node.result()
});
var existsOne = (node, predicate) => ({
  initial: node.literal(0n),
  condition: node.literal(true),
  step: node.call(
    "_?_:_",
    predicate,
    node.call("_+_", node.result(), node.literal(1n)),
    node.result()
  ),
  result: node.call("_==_", node.result(), node.literal(1n))
});
function collect({ count, isFiltered = false, message, initial, add: add2 }) {
  return ({ position, target, args }) => {
    const variables = variablesOf(args, count, message ?? simpleName);
    const node = builder(position);
    const transform = args[count + (isFiltered ? 1 : 0)];
    const added = add2(node, transform, variables.variable);
    const step = isFiltered ? node.call("_?_:_", args[count], added, node.result()) : added;
    return node.fold({
      range: target,
      ...variables,
      accumulator,
      initial: initial(node),
      condition: node.literal(true),
      step,
      result: node.result()
    });
  };
}
var intoList = {
  initial: (node) => node.list(),
  add: (node, transform) => node.call("_+_", node.result(), node.list(transform))
};
var intoMap = {
  initial: (node) => node.map(),
  add: (node, transform, variable) => node.call("cel.@mapInsert", node.result(), node.name(variable), transform)
};
var intoMapByEntry = {
  initial: (node) => node.map(),
  add: (node, transform) => node.call("cel.@mapInsert", node.result(), transform)
};
var notIdentifier = "argument is not an identifier";
var filter = ({ args, ...call }) => collect({ count: 1, isFiltered: true, message: notIdentifier, ...intoList })({
  ...call,
  args: [args[0], args[1], args[0]]
});
var has = ({ position, args }) => {
  const [argument] = args;
  if (argument.kind !== "select") {
    throw new MacroMistake("invalid argument to has() macro", argument.position);
  }
  return { ...argument, position, isTest: true };
};
function copyOf(node) {
  const copy = { ...node, copyOf: node };
  switch (copy.kind) {
    case "select":
      return { ...copy, operand: copyOf(copy.operand) };
    case "call":
      return { ...copy, target: copy.target && copyOf(copy.target), args: copy.args.map(copyOf) };
    case "list":
      return { ...copy, items: copy.items.map(copyOf) };
    case "map":
      return {
        ...copy,
        entries: copy.entries.map((entry) => ({
          ...entry,
          key: copyOf(entry.key),
          value: copyOf(entry.value)
        }))
      };
    case "struct":
      return {
        ...copy,
        fields: copy.fields.map(({ name: name2, value }) => ({ name: name2, value: copyOf(value) }))
      };
    case "fold":
      return {
        ...copy,
        range: copyOf(copy.range),
        initial: copyOf(copy.initial),
        condition: copyOf(copy.condition),
        step: copyOf(copy.step),
        result: copyOf(copy.result)
      };
    default:
      return copy;
  }
}
function mapOptional(name2, wrap) {
  return ({ position, target, args }) => {
    const [first, body] = args;
    const variable = variableName(first, `${name2}() variable name must be a simple identifier`);
    const node = builder(position);
    const mapped = node.bind(variable, node.member(copyOf(target), "value"), body);
    return node.call(
      "_?_:_",
      node.member(target, "hasValue"),
      wrap(node, mapped),
      node.call("optional.none")
    );
  };
}
var sortable = /* @__PURE__ */ new Set(["list", "select", "identifier", "fold", "call"]);
var sortInput = "@__sortBy_input__";
var sortBy = ({ position, target, args }) => {
  if (!sortable.has(target.kind)) {
    const message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
    throw new MacroMistake(message, target.position);
  }
  const node = builder(position);
  const keys = mapMacro({ position, target: node.name(sortInput), args });
  return node.bind(
    sortInput,
    target,
    node.member(node.name(sortInput), "@sortByAssociatedKeys", keys)
  );
};
var mapMacro = collect({ count: 1, message: notIdentifier, ...intoList });
var standardMacros = /* @__PURE__ */ new Map([
  ["has/1", has],
  [":all/2", quantify(1, all)],
  [":exists/2", quantify(1, exists)],
  [":exists_one/2", quantify(1, existsOne)],
  [":map/2", mapMacro],
  [":map/3", collect({ count: 1, isFiltered: true, message: notIdentifier, ...intoList })],
  [":filter/2", filter]
]);
var kubernetesMacros = new Map([
  ...standardMacros,
  [":optMap/2", mapOptional("optMap", (node, mapped) => node.call("optional.of", mapped))],
  [":optFlatMap/2", mapOptional("optFlatMap", (_, mapped) => mapped)],
  [":all/3", quantify(2, all)],
  [":exists/3", quantify(2, exists)],
  [":existsOne/3", quantify(2, existsOne)],
  [":exists_one/3", quantify(2, existsOne)],
  [":transformList/3", collect({ count: 2, ...intoList })],
  [":transformList/4", collect({ count: 2, isFiltered: true, ...intoList })],
  [":transformMap/3", collect({ count: 2, ...intoMap })],
  [":transformMap/4", collect({ count: 2, isFiltered: true, ...intoMap })],
  [":transformMapEntry/3", collect({ count: 2, ...intoMapByEntry })],
  [":transformMapEntry/4", collect({ count: 2, isFiltered: true, ...intoMapByEntry })],
  [":sortBy/2", sortBy]
]);

// src/cel/library/authorization.ts
var room = "kubernetes.authorization";
var signatures = [
  ["authorizer_path", `${room}.Authorizer:path(string) ${room}.PathCheck`],
  ["authorizer_group", `${room}.Authorizer:group(string) ${room}.GroupCheck`],
  [
    "authorizer_serviceaccount",
    `${room}.Authorizer:serviceAccount(string, string) ${room}.Authorizer`
  ],
  ["groupcheck_resource", `${room}.GroupCheck:resource(string) ${room}.ResourceCheck`],
  ["resourcecheck_subresource", `${room}.ResourceCheck:subresource(string) ${room}.ResourceCheck`],
  ["resourcecheck_namespace", `${room}.ResourceCheck:namespace(string) ${room}.ResourceCheck`],
  ["resourcecheck_name", `${room}.ResourceCheck:name(string) ${room}.ResourceCheck`],
  ["pathcheck_check", `${room}.PathCheck:check(string) ${room}.Decision`],
  ["resourcecheck_check", `${room}.ResourceCheck:check(string) ${room}.Decision`],
  ["decision_errored", `${room}.Decision:errored() bool`],
  ["decision_error", `${room}.Decision:error() string`],
  ["decision_allowed", `${room}.Decision:allowed() bool`],
  ["decision_reason", `${room}.Decision:reason() string`],
  ["authorizer_fieldselector", `${room}.ResourceCheck:fieldSelector(string) ${room}.ResourceCheck`],
  ["authorizer_labelselector", `${room}.ResourceCheck:labelSelector(string) ${room}.ResourceCheck`]
];
var authorizationFunctions = declare(
  signatures.map(([id, signature]) => [
    id,
    signature,
    () => {
      throw noSuchOverload();
    }
  ])
);

// src/text/formats/time.ts
function isDate(text4) {
  return parseDate(text4) !== void 0;
}
function parseDate(text4) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text4);
  if (match === null) return void 0;
  const [year, month, day2] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = /* @__PURE__ */ new Date(0);
  date.setUTCFullYear(year, month - 1, day2);
  const exists2 = date.getUTCMonth() === month - 1 && date.getUTCDate() === day2;
  return exists2 && month >= 1 && day2 >= 1 ? date.getTime() / 864e5 : void 0;
}
function isDateTime(text4) {
  const parts2 = text4.toLowerCase().split("t");
  const [date, time] = parts2;
  if (date === void 0 || time === void 0 || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(
    time
  );
  return match !== null && (match[1] ?? "") <= "23" && (match[2] ?? "") <= "59" && (match[3] ?? "") <= "59";
}
var maxDuration = 2n ** 63n - 1n;
var timestamp3 = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})?$/;
function parseTimestamp(text4, zoneOptional = false) {
  const match = timestamp3.exec(text4);
  if (match === null) return void 0;
  const days = parseDate(text4.slice(0, 10));
  const [hour, minute, second3] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const zone = match[8] ?? (zoneOptional ? "Z" : void 0);
  if (days === void 0 || zone === void 0) return void 0;
  if (hour > 23 || minute > 59 || second3 > 59) return void 0;
  if (zone !== "Z" && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60))
    return void 0;
  const seconds = days * 86400 + hour * 3600 + (minute - offsetOf(zone)) * 60 + second3;
  const fraction = BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return BigInt(seconds) * 1000000000n + fraction;
}
function offsetMinutes(text4) {
  return offsetOf(/[+-]\d{2}:\d{2}$/.exec(text4)?.[0] ?? "Z");
}
function offsetOf(zone) {
  if (zone === "Z") return 0;
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith("-") ? -size : size;
}
var within2 = (name2, least, most2) => (matched) => {
  const number2 = Number.parseInt(matched, 10);
  return number2 < least || number2 > most2 ? name2 : void 0;
};
var literal = (text4) => ({ pattern: new RegExp(`^${text4}`), element: text4 });
var dateSteps = [
  { pattern: /^\d{4}/, element: "2006" },
  literal("-"),
  { pattern: /^\d{2}/, element: "01", outOfRange: within2("month", 1, 12) },
  literal("-"),
  { pattern: /^\d{2}/, element: "02" }
];
var timeSteps = [
  literal("T"),
  { pattern: /^\d{1,2}/, element: "15", outOfRange: within2("hour", 0, 23) },
  literal(":"),
  { pattern: /^\d{2}/, element: "04", outOfRange: within2("minute", 0, 59) },
  literal(":"),
  { pattern: /^\d{2}([.,]\d+)?/, element: "05", outOfRange: within2("second", 0, 59) }
];
var zoneStep = {
  pattern: /^(Z|[+-]\d{2}:\d{2})/,
  element: "Z07:00",
  outOfRange: (zone) => zone === "Z" ? void 0 : within2("time zone offset hour", 0, 24)(zone.slice(1)) ?? within2("time zone offset minute", 0, 60)(zone.slice(4))
};
var layouts = {
  date: { text: "2006-01-02", steps: dateSteps },
  "date-time": { text: "2006-01-02T15:04:05Z07:00", steps: [...dateSteps, ...timeSteps, zoneStep] },
  local: { text: "2006-01-02T15:04:05", steps: [...dateSteps, ...timeSteps] }
};

// src/cel/value-types.ts
function typeOfValue(value) {
  if (value === null) return types2.null;
  switch (typeof value) {
    case "boolean":
      return types2.bool;
    case "bigint":
      return types2.int;
    case "number":
      return types2.double;
    case "string":
      return types2.string;
    default:
      return value instanceof Uint ? types2.uint : types2.bytes;
  }
}
function typeNameOf(value) {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
    default:
      break;
  }
  if (value === null) return "null_type";
  if (value instanceof CelList) return "list";
  if (value instanceof CelMap) return "map";
  if (value instanceof Uint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Timestamp) return types2.timestamp.name;
  if (value instanceof Duration) return types2.duration.name;
  if (value instanceof TypeValue) return "type";
  if (value instanceof Optional) return "optional_type";
  return value.typeName;
}

// src/cel/library/operators.ts
function checkedInt(value) {
  if (value > maxInt || value < minInt) throw new EvaluationError("integer overflow");
  return value;
}
function checkedUint(value) {
  if (value > maxUint || value < 0n) throw new EvaluationError("unsigned integer overflow");
  return new Uint(value);
}
function checkedDuration(nanoseconds) {
  if (nanoseconds > maxInt || nanoseconds < minInt) throw new EvaluationError("integer overflow");
  return new Duration(nanoseconds);
}
var second = 1000000000n;
var firstSecond = -62135596800n;
var lastSecond = 253402300799n;
function checkedTimestamp(nanoseconds, offsetMinutes2 = 0) {
  const fraction = (nanoseconds % second + second) % second;
  const seconds = (nanoseconds - fraction) / second;
  if (seconds < firstSecond || seconds > lastSecond)
    throw new EvaluationError("timestamp overflow");
  return new Timestamp(nanoseconds, offsetMinutes2);
}
function compare(left, right) {
  if (isNumber2(left)) {
    if (Number.isNaN(left)) throw notOrdered();
    if (!isNumber2(right)) throw noSuchOverload();
    if (Number.isNaN(right)) throw notOrdered();
    return compareNumbers(left, right);
  }
  if (typeof left === "string" && typeof right === "string") {
    spendOnText(Math.min(left.length, right.length));
    return compareBytes(left, right);
  }
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  const bothTimes = left instanceof Timestamp && right instanceof Timestamp;
  if (bothTimes || left instanceof Duration && right instanceof Duration) {
    return compareNumbers(left.nanoseconds, right.nanoseconds);
  }
  throw noSuchOverload();
}
function notOrdered() {
  return new EvaluationError("NaN values cannot be ordered");
}
function isOrdered(value) {
  if (value === null) return false;
  return typeof value !== "object" || value instanceof Uint || value instanceof Uint8Array || value instanceof Timestamp || value instanceof Duration;
}
function arithmetic(name2, overloads, { int: int4, uint, double: double2, other, takesOther }) {
  return declareWhole(
    overloads.map(([id, left, right, result]) => [id, `${name2}(${left}, ${right}) ${result}`]),
    {
      takes: (left) => int4 !== void 0 && (typeof left === "bigint" || left instanceof Uint) || double2 !== void 0 && typeof left === "number" || takesOther?.(left) === true,
      run: ([left, right]) => {
        if (int4 && typeof left === "bigint") {
          if (typeof right !== "bigint") throw noSuchOverload();
          return checkedInt(int4(left, right));
        }
        if (uint && left instanceof Uint) {
          if (!(right instanceof Uint)) throw noSuchOverload();
          return checkedUint(uint(left.value, right.value));
        }
        if (double2 && typeof left === "number") {
          if (typeof right !== "number") throw noSuchOverload();
          return double2(left, right);
        }
        return (other ?? never)(left, right);
      }
    }
  );
}
function never() {
  throw noSuchOverload();
}
function add(left, right) {
  if (typeof left === "string" && typeof right === "string") {
    return left + right;
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return new Uint8Array(Buffer.concat([left, right]));
  }
  if (left instanceof CelList) {
    return left.plus(right);
  }
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanoseconds + right.nanoseconds);
  }
  const [time, duration] = left instanceof Timestamp ? [left, right] : [right, left];
  if (time instanceof Timestamp && duration instanceof Duration) {
    return checkedTimestamp(time.nanoseconds + duration.nanoseconds, time.offsetMinutes);
  }
  throw noSuchOverload();
}
function subtract(left, right) {
  if (left instanceof Timestamp && right instanceof Timestamp) {
    const nanoseconds = left.nanoseconds - right.nanoseconds;
    return new Duration(checkedInt(nanoseconds));
  }
  if (left instanceof Timestamp && right instanceof Duration) {
    const { nanoseconds } = checkedDuration(-right.nanoseconds);
    return checkedTimestamp(left.nanoseconds + nanoseconds, left.offsetMinutes);
  }
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanoseconds - right.nanoseconds);
  }
  throw noSuchOverload();
}
function unlessZero(divisor, message) {
  if (divisor === 0n) throw new EvaluationError(message);
  return divisor;
}
var divide = (left, right) => left / unlessZero(right, "division by zero");
function modulo(left, right) {
  const divisor = unlessZero(right, "modulus by zero");
  if (left === minInt && divisor === -1n) throw new EvaluationError("integer overflow");
  return left % divisor;
}
var isTime = (value) => value instanceof Timestamp || value instanceof Duration;
var calculations = [
  arithmetic(
    "_+_",
    [
      ["add_bytes", "bytes", "bytes", "bytes"],
      ["add_double", "double", "double", "double"],
      ["add_duration_duration", "duration", "duration", "duration"],
      ["add_duration_timestamp", "duration", "timestamp", "timestamp"],
      ["add_timestamp_duration", "timestamp", "duration", "timestamp"],
      ["add_int64", "int", "int", "int"],
      ["add_list", "list(A)", "list(A)", "list(A)"],
      ["add_string", "string", "string", "string"],
      ["add_uint64", "uint", "uint", "uint"]
    ],
    {
      int: (left, right) => left + right,
      uint: (left, right) => left + right,
      double: (left, right) => left + right,
      other: add,
      takesOther: (left) => typeof left === "string" || left instanceof Uint8Array || left instanceof CelList || isTime(left)
    }
  ),
  arithmetic(
    "_/_",
    [
      ["divide_double", "double", "double", "double"],
      ["divide_int64", "int", "int", "int"],
      ["divide_uint64", "uint", "uint", "uint"]
    ],
    { int: divide, uint: divide, double: (left, right) => left / right }
  ),
  arithmetic(
    "_%_",
    [
      ["modulo_int64", "int", "int", "int"],
      ["modulo_uint64", "uint", "uint", "uint"]
    ],
    { int: modulo, uint: modulo }
  ),
  arithmetic(
    "_*_",
    [
      ["multiply_double", "double", "double", "double"],
      ["multiply_int64", "int", "int", "int"],
      ["multiply_uint64", "uint", "uint", "uint"]
    ],
    {
      int: (left, right) => left * right,
      uint: (left, right) => left * right,
      double: (left, right) => left * right
    }
  ),
  arithmetic(
    "_-_",
    [
      ["subtract_double", "double", "double", "double"],
      ["subtract_duration_duration", "duration", "duration", "duration"],
      ["subtract_int64", "int", "int", "int"],
      ["subtract_timestamp_duration", "timestamp", "duration", "timestamp"],
      ["subtract_timestamp_timestamp", "timestamp", "timestamp", "duration"],
      ["subtract_uint64", "uint", "uint", "uint"]
    ],
    {
      int: (left, right) => left - right,
      uint: (left, right) => left - right,
      double: (left, right) => left - right,
      other: subtract,
      takesOther: isTime
    }
  ),
  declareWhole(
    [
      ["negate_double", "-_(double) double"],
      ["negate_int64", "-_(int) int"]
    ],
    {
      takes: (value) => ["bigint", "number", "boolean"].includes(typeof value) || value instanceof Duration,
      run: ([value]) => {
        if (typeof value === "bigint") return checkedInt(-value);
        if (typeof value === "number") return -value;
        if (value instanceof Duration) return checkedDuration(-value.nanoseconds);
        throw noSuchOverload();
      }
    }
  ),
  declareWhole([["logical_not", "!_(bool) bool"]], {
    run: ([value]) => {
      if (typeof value !== "boolean") throw noSuchOverload();
      return !value;
    }
  })
];
var numbers = [
  ["int64", "int"],
  ["uint64", "uint"],
  ["double", "double"]
];
var comparable2 = [
  ["bool", "bool", "bool"],
  ...numbers.flatMap(([id, type2]) => [
    [id, type2, type2],
    ...numbers.filter(([other]) => other !== id).toSorted(([one2], [other]) => one2 < other ? -1 : 1).map(([other, otherType]) => [`${id}_${other}`, type2, otherType])
  ]),
  ["string", "string", "string"],
  ["bytes", "bytes", "bytes"],
  ["timestamp", "timestamp", "timestamp"],
  ["duration", "duration", "duration"]
];
var tests = [
  ["_<_", "less", (order4) => order4 < 0],
  ["_<=_", "less_equals", (order4) => order4 <= 0],
  ["_>_", "greater", (order4) => order4 > 0],
  ["_>=_", "greater_equals", (order4) => order4 >= 0]
];
var comparisons = tests.map(
  ([name2, id, holds2]) => declareWhole(
    comparable2.map(([types3, left, right]) => [`${id}_${types3}`, `${name2}(${left}, ${right}) bool`]),
    {
      takes: isOrdered,
      run: ([left, right]) => holds2(compare(left, right))
    }
  )
);
function isIn(value, container) {
  if (container instanceof CelList) {
    return container.includes(value);
  }
  if (container instanceof CelMap) return container.find(value) !== void 0;
  throw noSuchOverload();
}
var planned = [
  [["conditional", "_?_:_(bool, A, A) A"]],
  [["logical_and", "_&&_(bool, bool) bool"]],
  [["logical_or", "_||_(bool, bool) bool"]],
  [["not_strictly_false", "@not_strictly_false(bool) bool"]],
  [["equals", "_==_(A, A) bool"]],
  [["not_equals", "_!=_(A, A) bool"]],
  [
    ["index_list", "_[_](list(A), int) A"],
    ["index_map", "_[_](map(A, B), A) B"]
  ]
].map((overloads) => declareWhole(overloads, { run: never }));
var operators = [
  ...planned,
  ...calculations,
  ...comparisons,
  declareWhole(
    [
      ["in_list", "@in(A, list(A)) bool"],
      ["in_map", "@in(A, map(A, B)) bool"]
    ],
    { run: ([value, container]) => isIn(value, container) }
  )
];

// src/cel/library/time-functions.ts
var second2 = 1000000000n;
function timestampText(timestamp4) {
  const fraction = modulo2(timestamp4.nanoseconds, second2);
  const { offsetMinutes: offsetMinutes2 } = timestamp4;
  const utc = Number((timestamp4.nanoseconds - fraction) / 1000000n);
  const whole = new Date(utc + offsetMinutes2 * 6e4);
  const decimals = fraction === 0n ? "" : `.${String(fraction).padStart(9, "0").replace(/0+$/, "")}`;
  return `${whole.toISOString().slice(0, 19)}${decimals}${zoneText(offsetMinutes2)}`;
}
function zoneText(minutes) {
  if (minutes === 0) return "Z";
  const size = Math.abs(minutes);
  const part2 = (value) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${part2(Math.floor(size / 60))}:${part2(size % 60)}`;
}
function durationText({ nanoseconds }) {
  const seconds = Number(nanoseconds / second2) + Number(nanoseconds % second2) / 1e9;
  const [digits = "", exponent = "0"] = seconds.toExponential().split("e");
  return `${seconds.toFixed(Math.max(digits.replace(/^-?\d\.?/, "").length - Number(exponent), 0))}s`;
}
function modulo2(value, by) {
  return (value % by + by) % by;
}
function dateIn(value, zone) {
  const { nanoseconds } = value;
  const utc = Number((nanoseconds - modulo2(nanoseconds, 1000000n)) / 1000000n);
  if (zone === "" || zone === "UTC") return new Date(utc);
  const colon = zone.indexOf(":");
  if (colon < 0) return new Date(utc + zoneOffset(utc, zone));
  const hours = toNumber(zone.slice(0, colon));
  const minutes = toNumber(zone.slice(colon + 1));
  const offset = hours * 60 + (zone.startsWith("-") ? -minutes : minutes);
  const date = new Date(utc + offset * 6e4);
  if (!Number.isNaN(date.getTime())) return date;
  throw new EvaluationError(`the time zone ${quote(zone)} is too far away`);
}
function toNumber(text4) {
  const reason = !/^[+-]?\d+$/.test(text4) ? "invalid syntax" : Math.abs(Number(text4)) >= 2 ** 63 ? "value out of range" : void 0;
  if (reason === void 0) return Number(text4);
  throw new EvaluationError(`strconv.Atoi: parsing ${quote(text4)}: ${reason}`);
}
function zoneOffset(utc, zone) {
  if (zone.includes("..") || /^[\\/]/.test(zone) || zone.includes("\\")) {
    throw new EvaluationError("time: invalid location name");
  }
  spend(formattingCost);
  const parts2 = formatterOf(zone === "Local" ? "UTC" : zone).formatToParts(new Date(utc));
  const text4 = (name2) => parts2.find(({ type: type2 }) => type2 === name2)?.value ?? "";
  const part2 = (name2) => Number(text4(name2));
  const local = /* @__PURE__ */ new Date(0);
  local.setUTCFullYear(
    text4("era") === "B" ? 1 - part2("year") : part2("year"),
    part2("month") - 1,
    part2("day")
  );
  local.setUTCHours(part2("hour"), part2("minute"), part2("second"));
  return local.getTime() - Math.floor(utc / 1e3) * 1e3;
}
var formattingCost = 50;
var maxFormatters = 1e3;
var formatters = /* @__PURE__ */ new Map();
function formatterOf(zone) {
  const known2 = formatters.get(zone);
  if (known2 !== void 0) return known2;
  if (!/^[A-Z]/.test(zone)) throw new EvaluationError(`unknown time zone ${zone}`);
  if (formatters.size >= maxFormatters) formatters.clear();
  try {
    const made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      era: "narrow",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    });
    formatters.set(zone, made);
    return made;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}
var day = 864e5;
function dayOfYear(date) {
  const first = new Date(date.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / day);
}
var parts = [
  ["getFullYear", "year", (date) => date.getUTCFullYear()],
  ["getMonth", "month", (date) => date.getUTCMonth()],
  ["getDayOfYear", "day_of_year", dayOfYear],
  ["getDayOfMonth", "day_of_month", (date) => date.getUTCDate() - 1],
  ["getDate", "day_of_month_1_based", (date) => date.getUTCDate()],
  ["getDayOfWeek", "day_of_week", (date) => date.getUTCDay()],
  ["getHours", "hours", (date) => date.getUTCHours()],
  ["getMinutes", "minutes", (date) => date.getUTCMinutes()],
  ["getSeconds", "seconds", (date) => date.getUTCSeconds()],
  ["getMilliseconds", "milliseconds", (date) => date.getUTCMilliseconds()]
];
var lengths = [
  ["getHours", "hours", 3600n * second2],
  ["getMinutes", "minutes", 60n * second2],
  ["getSeconds", "seconds", second2],
  ["getMilliseconds", "milliseconds", 1000000n]
];
var timeFunctions = declare([
  ...parts.flatMap(([name2, id, read2]) => [
    [
      `timestamp_to_${id}`,
      `timestamp:${name2}() int`,
      ([time]) => BigInt(read2(dateIn(time, "UTC")))
    ],
    [
      id === "seconds" ? "timestamp_to_seconds_tz" : `timestamp_to_${id}_with_tz`,
      `timestamp:${name2}(string) int`,
      ([time, zone]) => BigInt(read2(dateIn(time, zone)))
    ]
  ]),
  ...lengths.map(([name2, id, unit]) => [
    `duration_to_${id}`,
    `duration:${name2}() int`,
    ([duration]) => duration.nanoseconds / unit
  ])
]);

// src/cel/library/conversions.ts
function failed(value, target) {
  return new EvaluationError(`type conversion error from '${typeNameOf(value)}' to '${target}'`);
}
function toInt(value) {
  if (typeof value === "bigint") return value;
  if (value instanceof Uint) {
    if (value.value > maxInt) throw new EvaluationError("integer overflow");
    return value.value;
  }
  if (value instanceof Timestamp) {
    const seconds = value.nanoseconds / 1000000000n;
    return value.nanoseconds < 0n && value.nanoseconds % 1000000000n !== 0n ? seconds - 1n : seconds;
  }
  if (value instanceof Duration) return value.nanoseconds;
  if (typeof value === "number") {
    if (!(value > -9223372036854776e3 && value < 9223372036854776e3)) {
      throw new EvaluationError("integer overflow");
    }
    return BigInt(Math.trunc(value));
  }
  const text4 = value;
  if (!/^[+-]?\d+$/.test(text4)) throw failed(value, "int");
  const integer3 = decimalOf(text4);
  if (integer3 === void 0 || integer3 > maxInt || integer3 < minInt) throw failed(value, "int");
  return integer3;
}
function toUint(value) {
  if (value instanceof Uint) return value;
  if (typeof value === "bigint") {
    if (value < 0n) throw new EvaluationError("unsigned integer overflow");
    return new Uint(value);
  }
  if (typeof value === "number") {
    if (!(value >= 0 && value < 18446744073709552e3)) {
      throw new EvaluationError("unsigned integer overflow");
    }
    return new Uint(BigInt(Math.trunc(value)));
  }
  const text4 = value;
  const integer3 = /^\d+$/.test(text4) ? decimalOf(text4) : void 0;
  if (integer3 === void 0 || integer3 > maxUint) throw failed(value, "uint");
  return new Uint(integer3);
}
var special = /* @__PURE__ */ new Map([
  ["inf", Infinity],
  ["+inf", Infinity],
  ["-inf", -Infinity],
  ["infinity", Infinity],
  ["+infinity", Infinity],
  ["-infinity", -Infinity],
  ["nan", NaN]
]);
function hexadecimalFloat(text4) {
  const match = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(text4);
  const [, sign, whole = "", fraction = "", exponent] = match ?? [];
  if (whole + fraction === "") return void 0;
  const digits = Number(BigInt(`0x${whole}${fraction}`));
  return (sign === "-" ? -digits : digits) * 2 ** (Number(exponent) - 4 * fraction.length);
}
function toDouble(value) {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const text4 = value;
  const named2 = special.get(text4.toLowerCase());
  if (named2 !== void 0) return named2;
  const hexadecimal = hexadecimalFloat(text4);
  if (hexadecimal !== void 0) return hexadecimal;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text4)) throw failed(value, "double");
  const number2 = Number(text4);
  if (!Number.isFinite(number2)) throw failed(value, "double");
  return number2;
}
function toText(value) {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return formatFloat(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.typeName;
  if (!(value instanceof Uint8Array)) throw failed(value, "string");
  const text4 = Buffer.from(value).toString("utf8");
  if (Buffer.compare(Buffer.from(text4), value) !== 0) {
    throw new EvaluationError("invalid UTF-8 in bytes, cannot convert to string");
  }
  return text4;
}
function toBool(value) {
  if (typeof value === "boolean") return value;
  const text4 = value;
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text4)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text4)) return false;
  throw failed(value, "bool");
}
function toDuration(value) {
  if (value instanceof Duration) return value;
  const read2 = typeof value === "string" ? parseDuration(value) : void 0;
  if (read2 === void 0 || "error" in read2) throw failed(value, "google.protobuf.Duration");
  return new Duration(read2.nanoseconds);
}
function toTimestamp(value) {
  if (value instanceof Timestamp) return value;
  if (typeof value === "bigint") return checkedTimestamp(value * 1000000000n);
  const nanoseconds = parseTimestamp(value);
  if (nanoseconds === void 0) throw failed(value, "google.protobuf.Timestamp");
  return checkedTimestamp(nanoseconds, offsetMinutes(value));
}
function isSized(value) {
  return typeof value === "string" || value instanceof Uint8Array || value instanceof CelList || value instanceof CelMap;
}
function sizeOf2(value) {
  if (typeof value === "string") return BigInt([...value].length);
  if (value instanceof Uint8Array) return BigInt(value.length);
  return BigInt(value.size);
}
function converting(name2, result, convert, sources) {
  return sources.map(([id, type2]) => [
    id,
    `${name2}(${type2}) ${result}`,
    ([value]) => convert(value)
  ]);
}
var conversionFunctions = [
  declareWhole(
    [
      ["size_bytes", "size(bytes) int"],
      ["bytes_size", "bytes:size() int"],
      ["size_list", "size(list(A)) int"],
      ["list_size", "list(A):size() int"],
      ["size_map", "size(map(A, B)) int"],
      ["map_size", "map(A, B):size() int"],
      ["size_string", "size(string) int"],
      ["string_size", "string:size() int"]
    ],
    { takes: isSized, run: ([value]) => sizeOf2(value) }
  ),
  declareWhole([["type", "type(A) type(A)"]], {
    run: ([value]) => new TypeValue(typeNameOf(value))
  }),
  declareWhole([["to_dyn", "dyn(A) dyn"]], { run: ([value]) => value }),
  ...declare([
    ...converting("bool", "bool", toBool, [
      ["bool_to_bool", "bool"],
      ["string_to_bool", "string"]
    ]),
    ...converting(
      "bytes",
      "bytes",
      (value) => typeof value === "string" ? new Uint8Array(Buffer.from(value)) : value,
      [
        ["bytes_to_bytes", "bytes"],
        ["string_to_bytes", "string"]
      ]
    ),
    ...converting("double", "double", toDouble, [
      ["double_to_double", "double"],
      ["int64_to_double", "int"],
      ["string_to_double", "string"],
      ["uint64_to_double", "uint"]
    ]),
    ...converting("duration", "duration", toDuration, [
      ["duration_to_duration", "duration"],
      ["int64_to_duration", "int"],
      ["string_to_duration", "string"]
    ]),
    ...converting("int", "int", toInt, [
      ["int64_to_int64", "int"],
      ["double_to_int64", "double"],
      ["duration_to_int64", "duration"],
      ["string_to_int64", "string"],
      ["timestamp_to_int64", "timestamp"],
      ["uint64_to_int64", "uint"]
    ]),
    ...converting("string", "string", toText, [
      ["string_to_string", "string"],
      ["bool_to_string", "bool"],
      ["bytes_to_string", "bytes"],
      ["double_to_string", "double"],
      ["duration_to_string", "duration"],
      ["int64_to_string", "int"],
      ["timestamp_to_string", "timestamp"],
      ["uint64_to_string", "uint"]
    ]),
    ...converting("timestamp", "timestamp", toTimestamp, [
      ["timestamp_to_timestamp", "timestamp"],
      ["int64_to_timestamp", "int"],
      ["string_to_timestamp", "string"]
    ]),
    ...converting("uint", "uint", toUint, [
      ["uint64_to_uint64", "uint"],
      ["double_to_uint64", "double"],
      ["int64_to_uint64", "int"],
      ["string_to_uint64", "string"]
    ])
  ])
];

// src/cel/printed.ts
function printed(value) {
  if (value === null) return "0";
  if (typeof value === "number") return formatFloat(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${[...value].join(" ")}]`;
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof CelList) return `[${[...value.items()].map(printed).join(", ")}]`;
  if (value instanceof CelMap) {
    const entries = value.keys().map((key2) => `${printed(key2)}: ${printed(value.find(key2) ?? null)}`);
    return `{${entries.join(", ")}}`;
  }
  if (value instanceof Optional) {
    return value.value === void 0 ? "optional.none()" : `optional(${printed(value.value)})`;
  }
  return typeNameOf(value);
}
function goTypeOf(value) {
  if (value === null) return "types.Null";
  if (value instanceof TypeValue) return "*types.Type";
  if (value instanceof Optional) return "*types.Optional";
  if (value instanceof Timestamp) return "types.Timestamp";
  if (value instanceof Duration) return "types.Duration";
  if (value instanceof CelList) return "*types.baseList";
  if (value instanceof CelMap) return "*types.baseMap";
  const name2 = typeNameOf(value);
  const last = name2.slice(name2.lastIndexOf(".") + 1);
  const isOfKubernetes = name2 !== last;
  if (last === "NamedFormat") return "cel.Format";
  return isOfKubernetes ? `cel.${last}` : `types.${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

// src/cel/lists.ts
var PlainList = class extends CelList {
  equals(other) {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      const [mine, theirs] = [attempt(() => this.at(index)), attempt(() => other.at(index))];
      if (!equalLoosely(mine, theirs)) return false;
    }
    return true;
  }
  includes(value) {
    for (let index = 0; index < this.size; index++) {
      if (attempt(() => equal(value, this.at(index))) === true) return true;
    }
    return false;
  }
  plus(other) {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (this.size === 0) return other;
    return other.size === 0 ? this : new Concatenation(this, other);
  }
};
var ValueList = class extends PlainList {
  constructor(values) {
    super();
    this.values = values;
  }
  values;
  get size() {
    return this.values.length;
  }
  at(index) {
    const value = this.values[index];
    if (value === void 0) {
      throw new EvaluationError(`index '${index}' out of range in list size '${this.size}'`);
    }
    return value;
  }
};
var GrowingList = class extends ValueList {
  growing;
  constructor() {
    const values = [];
    super(values);
    this.growing = values;
  }
  plus(other) {
    if (!(other instanceof CelList)) throw noSuchOverload();
    const added = [...other.items()];
    for (const value of added) this.growing.push(value);
    return this;
  }
  /** What has been collected, which changes no more. */
  finished() {
    return new ValueList(this.growing);
  }
};
var Concatenation = class extends PlainList {
  constructor(first, second3) {
    super();
    this.first = first;
    this.second = second3;
    this.size = first.size + second3.size;
  }
  first;
  second;
  size;
  at(index) {
    const { size } = this.first;
    return index < size ? this.first.at(index) : this.second.at(index - size);
  }
  equals(other) {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    let failure;
    for (let index = 0; index < this.size; index++) {
      const same = attempt(() => equal(this.at(index), other.at(index)));
      if (same === false) return false;
      if (same instanceof EvaluationError) failure ??= same;
    }
    if (failure !== void 0) throw failure;
    return true;
  }
  includes(value) {
    const found2 = attempt(() => this.first.includes(value));
    if (found2 === true || this.second.includes(value)) return true;
    if (found2 instanceof EvaluationError) throw found2;
    return false;
  }
};
function listOf(values) {
  return new ValueList(values);
}
function indexOf(index) {
  if (typeof index === "bigint") return Number(index);
  const number2 = index instanceof Uint ? Number(index.value) : index;
  if (typeof number2 !== "number") {
    throw new EvaluationError(`unsupported index type '${typeNameOf(index)}' in list`);
  }
  const isWhole = Number.isInteger(number2) && Math.abs(number2) < 2 ** 63;
  if (isWhole) return number2;
  throw new EvaluationError(`unsupported index value ${printed(index)} in list`);
}

// src/cel/maps.ts
var ValueMap = class extends CelMap {
  entries = /* @__PURE__ */ new Map();
  /** @throws Panic for a key that Go cannot hash */
  constructor(entries) {
    super();
    for (const entry of entries) this.entries.set(hashOf(entry[0]), entry);
  }
  get size() {
    return this.entries.size;
  }
  find(key2) {
    if (this.size === 0) return void 0;
    for (const candidate of equalKeys(key2)) {
      const found2 = this.entries.get(hashOf(candidate));
      if (found2 !== void 0) return found2[1];
    }
    return void 0;
  }
  keys() {
    return [...this.entries.values()].map(([key2]) => key2);
  }
  equals(other) {
    if (!(other instanceof CelMap) || this.size !== other.size) return false;
    return this.keys().every((key2) => {
      const theirs = attempt(() => other.find(key2));
      return theirs !== void 0 && equalLoosely(this.find(key2), theirs);
    });
  }
};
var GrowingMap = class extends ValueMap {
  constructor() {
    super([]);
  }
  insert(key2, value) {
    this.entries.set(hashOf(key2), [key2, value]);
  }
  /** What has been collected, which changes no more. */
  finished() {
    return new ValueMap(this.entries.values());
  }
};
function withEntry(map2, key2, value) {
  if (map2.find(key2) !== void 0) {
    throw new EvaluationError(`insert failed: key ${printed(key2)} already exists`);
  }
  if (map2 instanceof GrowingMap) {
    map2.insert(key2, value);
    return map2;
  }
  const entries = map2.keys().map((known2) => [known2, map2.find(known2) ?? null]);
  return new ValueMap([[key2, value], ...entries]);
}
function hashOf(key2) {
  if (key2 === null || typeof key2 === "boolean") return key2;
  if (typeof key2 === "string") return key2.startsWith("\0") ? `\0s${key2}` : key2;
  if (typeof key2 === "bigint") return key2;
  if (typeof key2 === "number") return Number.isNaN(key2) ? /* @__PURE__ */ Symbol("NaN") : key2;
  if (key2 instanceof Uint) return `\0u${key2.value}`;
  if (key2 instanceof Duration) return `\0d${key2.nanoseconds}`;
  if (key2 instanceof Timestamp) return `\0t${key2.nanoseconds}/${key2.offsetMinutes}`;
  if (key2 instanceof TypeValue) return `\0y${key2.typeName}`;
  if (key2 instanceof Opaque && key2.hash !== void 0) return key2.hash;
  if (key2 instanceof Uint8Array || key2 instanceof Opaque) {
    throw new Panic(`runtime error: hash of unhashable type ${goTypeOf(key2)}`);
  }
  return key2;
}
function equalKeys(key2) {
  if (typeof key2 === "bigint") return key2 >= 0n ? [key2, new Uint(key2)] : [key2];
  if (key2 instanceof Uint) return key2.value < 2n ** 63n ? [key2, key2.value] : [key2];
  if (typeof key2 !== "number" || !Number.isInteger(key2)) return [key2];
  if (Math.abs(key2) >= 2 ** 64) return [key2];
  const integer3 = BigInt(key2);
  return [
    key2,
    ...Math.abs(key2) < 2 ** 63 ? [integer3] : [],
    ...key2 >= 0 ? [new Uint(integer3)] : []
  ];
}

// src/cel/library/list-functions.ts
var list = (value) => value;
var int2 = (value) => value;
var comparable3 = [
  ["int", "int", "int"],
  ["uint", "uint", "uint"],
  ["double", "double", "double"],
  ["bool", "bool", "bool"],
  ["duration", "duration", "google.protobuf.Duration"],
  ["timestamp", "timestamp", "google.protobuf.Timestamp"],
  ["string", "string", "string"],
  ["bytes", "bytes", "bytes"]
];
function mustBeOrdered(value) {
  if (!isOrdered(value)) throw noSuchOverload();
  return value;
}
function isSorted(values) {
  let before;
  for (const item of values.items()) {
    const previous = before;
    before = mustBeOrdered(item);
    if (previous !== void 0 && attempt(() => compare(previous, item) > 0) === true) return false;
  }
  return true;
}
function extreme(values, sign, name2) {
  let best;
  for (const item of values.items()) {
    mustBeOrdered(item);
    const known2 = best;
    if (known2 === void 0 || attempt(() => compare(item, known2) * sign > 0) === true) best = item;
  }
  if (best === void 0) throw new EvaluationError(`${name2} called on empty list`);
  return best;
}
var sums = [
  [
    "list_int_sum_int",
    "list(int):sum() int",
    sumOf(0n, (sum2, item) => {
      if (typeof item !== "bigint") throw noSuchOverload();
      return checkedInt(sum2 + item);
    })
  ],
  [
    "list_uint_sum_uint",
    "list(uint):sum() uint",
    sumOf(new Uint(0n), (sum2, item) => {
      if (!(item instanceof Uint)) throw noSuchOverload();
      const value = sum2.value + item.value;
      if (value >= 2n ** 64n) throw new EvaluationError("unsigned integer overflow");
      return new Uint(value);
    })
  ],
  [
    "list_double_sum_double",
    "list(double):sum() double",
    sumOf(0, (sum2, item) => {
      if (typeof item !== "number") throw noSuchOverload();
      return sum2 + item;
    })
  ],
  [
    "list_duration_sum_duration",
    "list(duration):sum() duration",
    sumOf(new Duration(0n), (sum2, item) => {
      if (!(item instanceof Duration)) throw noSuchOverload();
      return checkedDuration(sum2.nanoseconds + item.nanoseconds);
    })
  ]
];
function sumOf(zero, add2) {
  return ([values]) => {
    let sum2 = zero;
    for (const item of list(values).items()) sum2 = add2(sum2, item);
    return sum2;
  };
}
function indexWhere(values, wanted, fromEnd) {
  for (let step = 0; step < values.size; step++) {
    const index = fromEnd ? values.size - 1 - step : step;
    if (attempt(() => equal(values.at(index), wanted)) === true) return BigInt(index);
  }
  return -1n;
}
function slice(values, start, end2) {
  const call = `cannot slice(${start}, ${end2})`;
  if (start < 0 || end2 < 0) throw new EvaluationError(`${call}, negative indexes not supported`);
  if (start > end2) {
    throw new EvaluationError(`${call}, start index must be less than or equal to end index`);
  }
  if (values.size < end2) throw new EvaluationError(`${call}, list is length ${values.size}`);
  const items = [];
  for (let index = Number(start); index < Number(end2); index++) items.push(values.at(index));
  return listOf(items);
}
function flattened(value, depth) {
  if (!(value instanceof CelList) || typeof depth !== "bigint") {
    throw new EvaluationError(`no such overload: ${typeText2(value)}.flatten()`);
  }
  const items = [];
  flatten(value, depth, items);
  return listOf(items);
}
function flatten(values, depth, into) {
  if (depth < 0n) throw new EvaluationError("level must be non-negative");
  for (const item of values.items()) {
    if (item instanceof CelList && depth > 0n) flatten(item, depth - 1n, into);
    else into.push(item);
  }
}
function typeText2(value) {
  if (value instanceof CelMap) return "map(dyn, dyn)";
  return value instanceof CelList ? "list(dyn)" : typeNameOf(value);
}
function distinct(values) {
  const result = [];
  for (const item of values.items()) {
    if (!result.some((known2) => attempt(() => equal(item, known2)) === true)) result.push(item);
  }
  return result;
}
function sortedBy(values, keys) {
  if (values.size !== keys.size) {
    throw new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${values.size} and ${keys.size} elements respectively`
    );
  }
  if (values.size === 0) return values;
  spend(values.size);
  const byIndex = [...keys.items()];
  const [first] = byIndex;
  if (!isOrdered(first)) throw new EvaluationError("list elements must be comparable");
  const type2 = typeNameOf(first);
  const order4 = byIndex.map((_, index) => index);
  order4.sort((left, right) => {
    const [one2, other] = [byIndex[left], byIndex[right]];
    if (typeNameOf(one2) !== type2 || typeNameOf(other) !== type2) {
      throw new EvaluationError("list elements must have the same type");
    }
    const result = attempt(() => compare(one2, other));
    return typeof result === "number" ? result : 0;
  });
  return listOf(order4.map((index) => values.at(index)));
}
function isList(value) {
  return value instanceof CelList;
}
function contains(values, wanted) {
  for (const item of wanted.items()) if (!values.includes(item)) return false;
  return true;
}
function intersects(one2, other) {
  for (const item of one2.items()) {
    if (attempt(() => other.includes(item)) === true) return true;
  }
  return false;
}
var kubernetesLists = declare([
  ...comparable3.map(
    ([id, type2]) => [
      `list_${id}_is_sorted_bool`,
      `list(${type2}):isSorted() bool`,
      ([values]) => isSorted(list(values))
    ]
  ),
  ...sums,
  ...["max", "min"].flatMap(
    (name2) => comparable3.map(
      ([id, type2]) => [
        `list_${id}_${name2}_${id}`,
        `list(${type2}):${name2}() ${type2}`,
        ([values]) => extreme(list(values), name2 === "max" ? 1 : -1, name2)
      ]
    )
  ),
  [
    "list_a_index_of_int",
    "list(A):indexOf(A) int",
    ([values, item]) => indexWhere(list(values), item, false)
  ],
  [
    "list_a_last_index_of_int",
    "list(A):lastIndexOf(A) int",
    ([values, item]) => indexWhere(list(values), item, true)
  ]
]);
var sets = declare([
  [
    "list_sets_contains_list",
    "sets.contains(list(T), list(T)) bool",
    ([one2, other]) => contains(list(one2), list(other))
  ],
  [
    "list_sets_equivalent_list",
    "sets.equivalent(list(T), list(T)) bool",
    ([one2, other]) => contains(list(one2), list(other)) && contains(list(other), list(one2))
  ],
  [
    "list_sets_intersects_list",
    "sets.intersects(list(T), list(T)) bool",
    ([one2, other]) => intersects(list(one2), list(other))
  ]
]);
var mapInsertion = declare([
  [
    "@mapInsert_map_key_value",
    "cel.@mapInsert(map(K, V), K, V) map(K, V)",
    ([map2, key2, value]) => withEntry(map2, key2, value)
  ],
  [
    "@mapInsert_map_map",
    "cel.@mapInsert(map(K, V), map(K, V)) map(K, V)",
    ([map2, added]) => {
      let result = map2;
      const entries = added;
      for (const key2 of entries.keys()) result = withEntry(result, key2, entries.find(key2) ?? null);
      return result;
    }
  ]
]);
var listFunctions = [
  ...declare([
    [
      "list_slice",
      "list(T):slice(int, int) list(T)",
      ([values, start, end2]) => slice(list(values), int2(start), int2(end2))
    ]
  ]),
  ...declare(
    [
      [
        "list_flatten",
        "list(list(T)):flatten() list(T)",
        ([values]) => flattened(values, 1n)
      ],
      [
        "list_flatten_int",
        "list(dyn):flatten(int) list(dyn)",
        ([values, depth]) => flattened(values, depth)
      ]
    ],
    ["flatten"]
  ),
  declareWhole(
    comparable3.map(([, type2, id]) => [`list_${id}_sort`, `list(${type2}):sort() list(${type2})`]),
    {
      takes: isList,
      run: ([values]) => sortedBy(list(values), list(values))
    }
  ),
  declareWhole(
    comparable3.map(([, type2, id]) => [
      `list_${id}_sortByAssociatedKeys`,
      `list(T):@sortByAssociatedKeys(list(${type2})) list(T)`
    ]),
    {
      takes: isList,
      run: ([values, keys]) => sortedBy(list(values), list(keys))
    }
  ),
  ...declare([
    [
      "lists_range",
      "lists.range(int) list(int)",
      ([count]) => {
        const size = Math.max(Number(int2(count)), 0);
        spend(size);
        return listOf(Array.from({ length: size }, (_, index) => BigInt(index)));
      }
    ],
    [
      "list_reverse",
      "list(T):reverse() list(T)",
      ([values]) => listOf([...list(values).items()].reverse())
    ],
    [
      "list_distinct",
      "list(T):distinct() list(T)",
      ([values]) => {
        return listOf(distinct(list(values)));
      }
    ]
  ])
];

// src/text/formats/codes.ts
var uuid = "[0-9a-f]{8}-?[0-9a-f]{4}-?";
var uuidPatterns = {
  uuid: new RegExp(`^${uuid}[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, "i"),
  uuid3: new RegExp(`^${uuid}3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, "i"),
  uuid4: new RegExp(`^${uuid}4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, "i"),
  uuid5: new RegExp(`^${uuid}5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, "i")
};
function isBase642(text4) {
  return text4 !== "" && text4.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text4);
}
var label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
var shortName = new RegExp(`^${label}$`);
var longName = new RegExp(`^${label}(\\.${label})*$`);

// src/text/formats/network.ts
var strict = { leadingZeros: false };
function parseIPv4(text4, options = strict) {
  const parts2 = text4.split(".");
  if (parts2.length !== 4) return void 0;
  const pattern = options.leadingZeros ? /^\d+$/ : /^(0|[1-9]\d{0,2})$/;
  if (!parts2.every((part2) => pattern.test(part2) && Number(part2) <= 255)) return void 0;
  return parts2.map(Number);
}
function parseIPv6(text4, options = strict) {
  const halves = text4.split("::");
  if (halves.length > 2 || text4.includes(":::")) return void 0;
  const head = groups(halves[0] ?? "", halves.length === 1, options);
  if (head === void 0) return void 0;
  if (halves.length === 1) return head.length === 16 ? head : void 0;
  const tail = groups(halves[1] ?? "", true, options);
  if (tail === void 0 || head.length + tail.length > 14) return void 0;
  return [...head, ...new Array(16 - head.length - tail.length).fill(0), ...tail];
}
function groups(text4, last, options) {
  if (text4 === "") return last || text4 === "" ? [] : void 0;
  const bytes = [];
  const parts2 = text4.split(":");
  for (const [index, part2] of parts2.entries()) {
    if (part2.includes(".")) {
      const four = last && index === parts2.length - 1 ? parseIPv4(part2, options) : void 0;
      if (four === void 0) return void 0;
      bytes.push(...four);
    } else {
      const pattern = options.leadingZeros ? /^[0-9a-fA-F]+$/ : /^[0-9a-fA-F]{1,4}$/;
      const group = pattern.test(part2) ? parseInt(part2, 16) : Infinity;
      if (group > 65535) return void 0;
      bytes.push(group >> 8, group & 255);
    }
  }
  return bytes;
}

// src/text/formats/uri.ts
function parseRequestURI(text4) {
  return parse(text4, true);
}
function parse(text4, isRequest) {
  if (/[\u0000-\u001f\u007f]/.test(text4)) return "net/url: invalid control character in URL";
  if (text4 === "" && isRequest) return "empty url";
  const none4 = { scheme: "", host: "", rawPath: "", rawQuery: "", hasUser: false };
  if (text4 === "*") return { ...none4, path: "*" };
  const schemeEnd = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text4)?.[0].length ?? 0;
  if (schemeEnd === 0 && text4.startsWith(":")) return "missing protocol scheme";
  const scheme = text4.slice(0, Math.max(schemeEnd - 1, 0)).toLowerCase();
  let rest = text4.slice(schemeEnd);
  const question = rest.indexOf("?");
  const rawQuery = question < 0 ? "" : rest.slice(question + 1);
  if (question >= 0) rest = rest.slice(0, question);
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...none4, scheme, path: "", rawQuery };
    if (isRequest) return "invalid URI for request";
    if (/^[^/]*:/.test(rest)) return "first path segment in URL cannot contain colon";
  }
  let host = "";
  let hasUser = false;
  if ((scheme !== "" || !isRequest && !rest.startsWith("///")) && rest.startsWith("//")) {
    const slash = rest.indexOf("/", 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? "" : rest.slice(slash);
    const parsed2 = parseAuthority(authority);
    if ("error" in parsed2) return parsed2.error;
    host = parsed2.host;
    hasUser = authority.includes("@");
  }
  const path = unescape(rest, "path");
  if ("error" in path) return path.error;
  return { scheme, host, path: path.text, rawPath: rest, rawQuery, hasUser };
}
function parseAuthority(authority) {
  const at = authority.lastIndexOf("@");
  const host = parseHost(authority.slice(at + 1));
  if ("error" in host || at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    return { error: "net/url: invalid userinfo" };
  }
  const unescaped2 = unescape(user, "user");
  return "error" in unescaped2 ? unescaped2 : host;
}
function parseHost(text4) {
  const bracket = text4.lastIndexOf("[");
  if (bracket > 0) return { error: "invalid IP-literal" };
  if (bracket === 0) return parseBracketed(text4);
  const colon = text4.lastIndexOf(":");
  if (colon >= 0) {
    const port = text4.slice(colon);
    if (!isOptionalPort(port)) return { error: `invalid port ${quote(port)} after host` };
  }
  const host = unescape(text4, "host");
  return "error" in host ? host : { host: host.text };
}
function parseBracketed(text4) {
  const close = text4.lastIndexOf("]");
  if (close < 0) return { error: "missing ']' in host" };
  const port = text4.slice(close + 1);
  if (!isOptionalPort(port)) return { error: `invalid port ${quote(port)} after host` };
  const name2 = text4.slice(1, close);
  const zoneStart = name2.indexOf("%25");
  const address2 = unescape(zoneStart < 0 ? name2 : name2.slice(0, zoneStart), "host");
  if ("error" in address2) return address2;
  const zone = zoneStart < 0 ? { text: "" } : unescape(name2.slice(zoneStart), "zone");
  if ("error" in zone) return zone;
  if (parseIPv6(address2.text) === void 0 || zone.text === "%") return { error: "invalid host" };
  return { host: `[${address2.text}${zone.text}]${port}` };
}
function isOptionalPort(text4) {
  return text4 === "" || /^:[0-9]*$/.test(text4);
}
var hostCharacters = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;
function unescape(text4, mode) {
  if (mode === "path" && !text4.includes("%")) return { text: text4 };
  const bytes = Buffer.from(text4);
  const out = [];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const character = String.fromCharCode(byte);
    if (character === "%") {
      const escape3 = bytes.subarray(index, index + 3).toString("latin1");
      const value = /^%[0-9a-fA-F]{2}$/.test(escape3) ? parseInt(escape3.slice(1), 16) : -1;
      if (value < 0 || !isAllowedEscape(escape3, value, mode)) {
        return { error: `invalid URL escape "${escape3}"` };
      }
      out.push(value);
      index += 2;
    } else if ((mode === "host" || mode === "zone") && byte < 128 && !hostCharacters.test(character)) {
      return { error: `invalid character "${character}" in host name` };
    } else {
      out.push(mode === "query" && character === "+" ? 32 : byte);
    }
  }
  return { text: Buffer.from(out).toString("utf8") };
}
function isAllowedEscape(escape3, value, mode) {
  if (escape3 === "%25" || mode !== "host" && mode !== "zone") return true;
  if (mode === "host") return value >= 128;
  return value === 32 || value < 128 && hostCharacters.test(String.fromCharCode(value));
}

// src/text/formats/names.ts
var labelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
var subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
var label1035Format = "[a-z]([-a-z0-9]*[a-z0-9])?";
var keyFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
var valueFormat = `(${keyFormat})?`;
var subdomain = /^[a-z0-9](?:[a-z0-9]|-+[a-z0-9]|\.[a-z0-9])*$/;
var label2 = /^[a-z0-9](?:[a-z0-9]|-+[a-z0-9])*$/;
var label1035 = /^[a-z](?:[a-z0-9]|-+[a-z0-9])*$/;
var key = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
function explain(message, format, ...examples) {
  const quoted2 = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${quoted2}regex used for validation is '${format}')`;
}
var tooLong = (most2, unit = "characters") => `must be no more than ${most2} ${unit}`;
function subdomainProblems(value, unit) {
  const problems = [];
  if (byteLength(value) > 253) problems.push(tooLong(253, unit));
  if (!subdomain.test(value)) {
    problems.push(
      explain(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomainFormat,
        "example.com"
      )
    );
  }
  return problems;
}
function labelProblems(value) {
  const problems = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (label2.test(value)) return problems;
  if (subdomain.test(value)) return [...problems, "must not contain dots"];
  problems.push(
    explain(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      labelFormat,
      "my-name",
      "123-abc"
    )
  );
  return problems;
}
function label1035Problems(value) {
  const problems = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (!label1035.test(value)) {
    problems.push(
      explain(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        label1035Format,
        "my-name",
        "abc-123"
      )
    );
  }
  return problems;
}
var keyMessage = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
function qualifiedNameProblems(value) {
  if (value.length <= 63 && key.test(value)) return [];
  const parts2 = value.split("/");
  const explained = explain(keyMessage, keyFormat, "MyName", "my.name", "123-abc");
  if (parts2.length > 2) {
    return [
      `a valid label key ${explained} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
    ];
  }
  const problems = [];
  const name2 = parts2[parts2.length - 1] ?? "";
  if (parts2.length === 2) {
    const prefix = parts2[0] ?? "";
    if (prefix === "") problems.push("prefix part must be non-empty");
    else
      problems.push(
        ...subdomainProblems(prefix, "bytes").map((problem) => `prefix part ${problem}`)
      );
  }
  if (name2 === "") problems.push("name part must be non-empty");
  else if (byteLength(name2) > 63) problems.push(`name part ${tooLong(63, "bytes")}`);
  if (!key.test(name2)) problems.push(`name part ${explained}`);
  return problems;
}
function labelValueProblems(value) {
  const problems = [];
  if (byteLength(value) > 63) problems.push(tooLong(63, "bytes"));
  if (value !== "" && !key.test(value)) {
    problems.push(
      explain(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        valueFormat,
        "MyValue",
        "my_value",
        "12345"
      )
    );
  }
  return problems;
}
function maskTrailingDash(name2) {
  return name2.length > 1 && name2.endsWith("-") ? `${name2.slice(0, -2)}a` : name2;
}

// src/cel/library/named-formats.ts
var NamedFormat = class _NamedFormat extends Opaque {
  constructor(name2, problems) {
    super();
    this.name = name2;
    this.problems = problems;
  }
  name;
  problems;
  typeName = "kubernetes.NamedFormat";
  hash = void 0;
  equals(other) {
    if (!(other instanceof _NamedFormat)) throw noSuchOverload();
    return other.name === this.name;
  }
};
var unless = (holds2, problem) => (text4) => holds2(text4) ? [] : [problem];
var named = [
  ["dns1123Label", (text4) => labelProblems(text4)],
  ["dns1123Subdomain", (text4) => subdomainProblems(text4)],
  ["dns1035Label", (text4) => label1035Problems(text4)],
  ["qualifiedName", qualifiedNameProblems],
  ["dns1123LabelPrefix", (text4) => labelProblems(maskTrailingDash(text4))],
  ["dns1123SubdomainPrefix", (text4) => subdomainProblems(maskTrailingDash(text4))],
  ["dns1035LabelPrefix", (text4) => label1035Problems(maskTrailingDash(text4))],
  ["labelValue", labelValueProblems],
  [
    "uri",
    (text4) => {
      const parsed2 = parseRequestURI(text4);
      return typeof parsed2 === "string" ? [`parse ${quote(text4)}: ${parsed2}`] : [];
    }
  ],
  ["uuid", unless((text4) => uuidPatterns.uuid.test(text4), "does not match the UUID format")],
  ["byte", unless(isBase642, "invalid base64")],
  ["date", unless(isDate, "invalid date")],
  ["datetime", unless(isDateTime, "invalid datetime")]
];
var formats = new Map(named.map(([name2, problems]) => [name2, new NamedFormat(name2, problems)]));
var formatFunctions = declare([
  ...[...formats].map(
    ([name2, format]) => [`format.${name2}`, `format.${name2}() kubernetes.NamedFormat`, () => format]
  ),
  [
    "format-named",
    "format.named(string) optional_type(kubernetes.NamedFormat)",
    ([a]) => {
      const format = formats.get(a);
      return format === void 0 ? noValue : new Optional(format);
    }
  ],
  [
    "format-validate",
    "kubernetes.NamedFormat:validate(string) optional_type(list(string))",
    ([a, b]) => {
      const problems = a.problems(b);
      return problems.length === 0 ? noValue : new Optional(listOf(problems));
    }
  ]
]);
var Semver = class _Semver extends Opaque {
  constructor(version2) {
    super();
    this.version = version2;
  }
  version;
  typeName = "kubernetes.Semver";
  hash = void 0;
  get goData() {
    return `(semver.Version)${formatVersion(this.version)}`;
  }
  equals(other) {
    if (!(other instanceof _Semver)) throw noSuchOverload();
    return compareVersions(this.version, other.version) === 0;
  }
};
function normalised(text4) {
  const [major = "", minor, ...patch] = (text4.startsWith("v") ? text4.slice(1) : text4).split(".");
  const parts2 = [major, ...minor === void 0 ? [] : [minor]];
  if (patch.length > 0) parts2.push(patch.join("."));
  const trimmed = parts2.map(
    (part2) => byteLength(part2) > 1 ? part2.replace(/^0+/, "").replace(/^(?!\d)/, "0") : part2
  );
  if (trimmed.length < 3 && /[+-]/.test(trimmed[trimmed.length - 1] ?? "")) {
    throw new InvalidVersionError("short version cannot contain PreRelease/Build meta data");
  }
  while (trimmed.length < 3) trimmed.push("0");
  return trimmed.join(".");
}
function toVersion(text4, normalise) {
  try {
    return new Semver(parseVersion(normalise === true ? normalised(text4) : text4));
  } catch (error) {
    if (error instanceof InvalidVersionError) throw new EvaluationError(error.message);
    throw error;
  }
}
var isVersion = (text4, normalise) => !(attempt(() => toVersion(text4, normalise)) instanceof EvaluationError);
var version = (value) => value.version;
var order2 = (left, right) => compareVersions(version(left), version(right));
var semverFunctions = declare([
  ["string_to_semver", "semver(string) kubernetes.Semver", ([a]) => toVersion(a, false)],
  [
    "string_bool_to_semver",
    "semver(string, bool) kubernetes.Semver",
    ([a, b]) => toVersion(a, b)
  ],
  ["is_semver_string", "isSemver(string) bool", ([a]) => isVersion(a, false)],
  ["is_semver_string_bool", "isSemver(string, bool) bool", ([a, b]) => isVersion(a, b)],
  [
    "semver_is_greater_than",
    "kubernetes.Semver:isGreaterThan(kubernetes.Semver) bool",
    ([a, b]) => order2(a, b) > 0
  ],
  [
    "semver_is_less_than",
    "kubernetes.Semver:isLessThan(kubernetes.Semver) bool",
    ([a, b]) => order2(a, b) < 0
  ],
  [
    "semver_compare_to",
    "kubernetes.Semver:compareTo(kubernetes.Semver) int",
    ([a, b]) => BigInt(order2(a, b))
  ],
  ["semver_major", "kubernetes.Semver:major() int", ([a]) => BigInt(version(a).major)],
  ["semver_minor", "kubernetes.Semver:minor() int", ([a]) => BigInt(version(a).minor)],
  ["semver_patch", "kubernetes.Semver:patch() int", ([a]) => BigInt(version(a).patch)]
]);

// src/cel/library/address-text.ts
function readAddress(text4) {
  const refused = (reason) => `ParseAddr(${quote(text4)}): ${reason.message}${reason.at ? ` (at ${quote(reason.at)})` : ""}`;
  switch (/[.:%]/.exec(text4)?.[0]) {
    case ".": {
      const bytes = parseIPv4(text4);
      return bytes ? { bytes, hasZone: false } : refused(whyNoIPv4(text4));
    }
    case ":": {
      const percent = text4.indexOf("%");
      const hasZone = percent >= 0;
      if (percent === text4.length - 1)
        return refused({ message: "zone must be a non-empty string" });
      const address2 = hasZone ? text4.slice(0, percent) : text4;
      const bytes = parseIPv6(address2);
      return bytes ? { bytes, hasZone } : refused(whyNoIPv6(address2));
    }
    case "%":
      return refused({ message: "missing IPv6 address" });
    default:
      return refused({ message: "unable to parse IP" });
  }
}
function readPrefix(text4) {
  const refused = (reason) => `netip.ParsePrefix(${quote(text4)}): ${reason}`;
  const slash = text4.lastIndexOf("/");
  if (slash < 0) return refused("no '/'");
  const address2 = readAddress(text4.slice(0, slash));
  if (typeof address2 === "string") return refused(address2);
  if (address2.hasZone) return refused("IPv6 zones cannot be present in a prefix");
  const bits = text4.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{0,17})$/.test(bits)) {
    return refused(`bad bits after slash: ${quote(bits)}`);
  }
  const { bytes } = address2;
  if (Number(bits) > bytes.length * 8) return refused("prefix length out of range");
  return { bytes, bits: Number(bits) };
}
function whyNoIPv4(text4) {
  const fields = text4.split(".");
  let start = 0;
  for (const [index, field2] of fields.entries()) {
    const isLast = index === fields.length - 1;
    const dot = isLast ? text4.slice(start - 1) : text4.slice(start);
    if (field2 === "") return { message: "IPv4 field must have at least one digit", at: dot };
    const other = field2.search(/\D/);
    const digits = other < 0 ? field2 : field2.slice(0, other);
    if (/^0\d/.test(digits)) return { message: "IPv4 field has octet with leading zero" };
    if (Number(digits) > 255) return { message: "IPv4 field has value >255" };
    if (other >= 0) return { message: "unexpected character", at: text4.slice(start + other) };
    start += field2.length + 1;
    if (isLast) continue;
    if (text4.slice(start) === "") {
      return { message: "IPv4 field must have at least one digit", at: "." };
    }
    if (index === 3) return { message: "IPv4 address too long" };
  }
  return { message: "IPv4 address too short" };
}
function whyNoIPv6(text4) {
  let rest = text4;
  let bytes = 0;
  let hasEllipsis = rest.startsWith("::");
  if (hasEllipsis) rest = rest.slice(2);
  while (bytes < 16) {
    const [digits = ""] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return { message: "each group must have 4 or less digits", at: rest };
    if (digits === "") {
      const message = "each colon-separated field must have at least one digit";
      return { message, at: rest };
    }
    if (rest[digits.length] === ".") return whyNoTail(rest, bytes, hasEllipsis);
    bytes += 2;
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) return { message: "unexpected character, want colon", at: rest };
    if (rest === ":") return { message: "colon must be followed by more characters", at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (hasEllipsis) return { message: "multiple :: in address", at: rest };
    hasEllipsis = true;
    rest = rest.slice(1);
    if (rest === "") break;
  }
  if (rest !== "") return { message: "trailing garbage after address", at: rest };
  if (bytes < 16) return { message: "address string too short" };
  return { message: "the :: must expand to at least one field of zeros" };
}
function whyNoTail(rest, bytes, hasEllipsis) {
  if (!hasEllipsis && bytes !== 12) {
    const message = "embedded IPv4 address must replace the final 2 fields of the address";
    return { message, at: rest };
  }
  if (bytes > 12) {
    const message = "too many hex fields to fit an embedded IPv4 at the end of the address";
    return { message, at: rest };
  }
  if (parseIPv4(rest) === void 0) return whyNoIPv4(rest);
  return { message: "the :: must expand to at least one field of zeros" };
}

// src/cel/library/network-functions.ts
var Url = class _Url extends Opaque {
  constructor(parsed2, text4) {
    super();
    this.parsed = parsed2;
    this.text = text4;
  }
  parsed;
  text;
  typeName = "kubernetes.URL";
  hash = this;
  /** As Go writes it again: only the scheme is another one, in lower case. */
  get canonical() {
    const { scheme } = this.parsed;
    return scheme + this.text.slice(scheme.length);
  }
  get goData() {
    return `(*url.URL)${this.canonical}`;
  }
  equals(other) {
    if (!(other instanceof _Url)) throw noSuchOverload();
    return other.canonical === this.canonical;
  }
};
var Address = class _Address extends Opaque {
  constructor(bytes) {
    super();
    this.bytes = bytes;
  }
  bytes;
  typeName = "net.IP";
  get goData() {
    return `(netip.Addr)${addressText(this.bytes)}`;
  }
  get hash() {
    return `\0i${this.bytes.join()}`;
  }
  equals(other) {
    if (!(other instanceof _Address)) throw noSuchOverload();
    return sameBytes(other.bytes, this.bytes);
  }
};
var Network = class _Network extends Opaque {
  constructor(bytes, bits) {
    super();
    this.bytes = bytes;
    this.bits = bits;
  }
  bytes;
  bits;
  typeName = "net.CIDR";
  get goData() {
    return `(netip.Prefix)${addressText(this.bytes)}/${this.bits}`;
  }
  get hash() {
    return `\0c${this.bytes.join()}/${this.bits}`;
  }
  equals(other) {
    if (!(other instanceof _Network)) throw noSuchOverload();
    return other.bits === this.bits && sameBytes(other.bytes, this.bytes);
  }
};
function sameBytes(left, right) {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
function toUrl(text4) {
  const whole = parseRequestURI(text4);
  const parsed2 = typeof whole === "string" ? whole : parseRequestURI(text4.replace(/#.*$/s, ""));
  if (typeof parsed2 === "string") {
    throw new EvaluationError(
      `URL parse error during conversion from string: parse ${quote(text4)}: ${parsed2}`
    );
  }
  return new Url(parsed2, text4);
}
function portAt(host) {
  const colon = host.lastIndexOf(":");
  return colon >= 0 && /^:\d*$/.test(host.slice(colon)) ? colon : host.length;
}
function hostName(host) {
  const name2 = host.slice(0, portAt(host));
  return name2.startsWith("[") && name2.endsWith("]") ? name2.slice(1, -1) : name2;
}
function escapedPath({ path, rawPath }) {
  if (/^[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]%]*$/.test(rawPath)) return rawPath;
  return encodeURI(path).replaceAll(
    /[!'()*#?]/g,
    (character) => character === "*" || character === "!" || character === "'" || character === "(" || character === ")" ? character : `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  );
}
function query(raw) {
  const values = /* @__PURE__ */ new Map();
  for (const pair of raw.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const equals = pair.indexOf("=");
    const key2 = unescape(equals < 0 ? pair : pair.slice(0, equals), "query");
    const value = unescape(equals < 0 ? "" : pair.slice(equals + 1), "query");
    if ("error" in key2 || "error" in value) continue;
    values.set(key2.text, [...values.get(key2.text) ?? [], value.text]);
  }
  return new ValueMap([...values].map(([key2, items]) => [key2, listOf(items)]));
}
function toAddress(text4) {
  const read2 = readAddress(text4);
  if (typeof read2 === "string") {
    throw new EvaluationError(
      `IP Address ${quote(text4)} parse error during conversion from string: ${read2}`
    );
  }
  if (read2.hasZone) {
    throw new EvaluationError(`IP address ${quote(text4)} with zone value is not allowed`);
  }
  if (isMapped(read2.bytes)) {
    throw new EvaluationError(`IPv4-mapped IPv6 address ${quote(text4)} is not allowed`);
  }
  return new Address(read2.bytes);
}
function isMapped(bytes) {
  return bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}
function toNetwork(text4) {
  const context = "network address parse error during conversion from string";
  const read2 = readPrefix(text4);
  if (typeof read2 === "string") throw new EvaluationError(`${context}: ${context}: ${read2}`);
  if (isMapped(read2.bytes)) {
    throw new EvaluationError(`${context}: IPv4-mapped IPv6 address ${quote(text4)} is not allowed`);
  }
  return new Network(read2.bytes, read2.bits);
}
function succeeds(run) {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}
function masked(bytes, bits) {
  return bytes.map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8));
    return byte & 255 << 8 - kept & 255;
  });
}
function contains2(network2, bytes) {
  return bytes.length === network2.bytes.length && sameBytes(masked(bytes, network2.bits), masked(network2.bytes, network2.bits));
}
function addressText(bytes) {
  if (bytes.length === 4) return bytes.join(".");
  const groups2 = Array.from(
    { length: 8 },
    (_, index) => (bytes[index * 2] ?? 0) << 8 | (bytes[index * 2 + 1] ?? 0)
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups2[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups2.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(":");
  return `${hex.slice(0, best.start).join(":")}::${hex.slice(best.start + best.length).join(":")}`;
}
var url = (value) => value.parsed;
var bytesOf = (value) => value.bytes;
var network = (value) => value;
var text = (value) => value;
var all2 = (bytes, value) => bytes.every((byte) => byte === value);
function isLoopback(bytes) {
  return bytes.length === 4 ? bytes[0] === 127 : all2(bytes.slice(0, 15), 0) && bytes[15] === 1;
}
function isLinkLocalMulticast(bytes) {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 255 && ((bytes[1] ?? 0) & 15) === 2;
}
function isLinkLocalUnicast(bytes) {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 254 && ((bytes[1] ?? 0) & 192) === 128;
}
function isGlobalUnicast(bytes) {
  const multicast = bytes.length === 4 ? ((bytes[0] ?? 0) & 240) === 224 : bytes[0] === 255;
  const broadcast = bytes.length === 4 && all2(bytes, 255);
  return !broadcast && !all2(bytes, 0) && !isLoopback(bytes) && !multicast && !isLinkLocalUnicast(bytes);
}
var urlFunctions = declare([
  ["string_to_url", "url(string) kubernetes.URL", ([a]) => toUrl(text(a))],
  ["is_url_string", "isURL(string) bool", ([a]) => succeeds(() => toUrl(text(a)))],
  ["url_get_scheme", "kubernetes.URL:getScheme() string", ([a]) => url(a).scheme],
  ["url_get_host", "kubernetes.URL:getHost() string", ([a]) => url(a).host],
  ["url_get_hostname", "kubernetes.URL:getHostname() string", ([a]) => hostName(url(a).host)],
  [
    "url_get_port",
    "kubernetes.URL:getPort() string",
    ([a]) => url(a).host.slice(portAt(url(a).host) + 1)
  ],
  ["url_get_escaped_path", "kubernetes.URL:getEscapedPath() string", ([a]) => escapedPath(url(a))],
  [
    "url_get_query",
    "kubernetes.URL:getQuery() map(string, list(string))",
    ([a]) => query(url(a).rawQuery)
  ]
]);
var networkFunctions = declare([
  ["string_to_ip", "ip(string) net.IP", ([a]) => toAddress(text(a))],
  ["is_ip", "isIP(string) bool", ([a]) => succeeds(() => toAddress(text(a)))],
  [
    "ip_is_canonical",
    "ip.isCanonical(string) bool",
    ([a]) => addressText(toAddress(text(a)).bytes) === text(a)
  ],
  ["ip_to_string", "string(net.IP) string", ([a]) => addressText(bytesOf(a))],
  ["ip_family", "net.IP:family() int", ([a]) => bytesOf(a).length === 4 ? 4n : 6n],
  ["ip_is_unspecified", "net.IP:isUnspecified() bool", ([a]) => all2(bytesOf(a), 0)],
  ["ip_is_loopback", "net.IP:isLoopback() bool", ([a]) => isLoopback(bytesOf(a))],
  [
    "ip_is_link_local_multicast",
    "net.IP:isLinkLocalMulticast() bool",
    ([a]) => isLinkLocalMulticast(bytesOf(a))
  ],
  [
    "ip_is_link_local_unicast",
    "net.IP:isLinkLocalUnicast() bool",
    ([a]) => isLinkLocalUnicast(bytesOf(a))
  ],
  ["ip_is_global_unicast", "net.IP:isGlobalUnicast() bool", ([a]) => isGlobalUnicast(bytesOf(a))],
  ["string_to_cidr", "cidr(string) net.CIDR", ([a]) => toNetwork(text(a))],
  ["is_cidr", "isCIDR(string) bool", ([a]) => succeeds(() => toNetwork(text(a)))],
  [
    "cidr_to_string",
    "string(net.CIDR) string",
    ([a]) => `${addressText(network(a).bytes)}/${network(a).bits}`
  ],
  [
    "cidr_contains_ip_string",
    "net.CIDR:containsIP(string) bool",
    ([a, b]) => {
      const inner = attempt(() => toAddress(text(b)));
      if (inner instanceof EvaluationError) throw noSuchOverload();
      return contains2(network(a), inner.bytes);
    }
  ],
  [
    "cidr_contains_ip_ip",
    "net.CIDR:containsIP(net.IP) bool",
    ([a, b]) => contains2(network(a), bytesOf(b))
  ],
  [
    "cidr_contains_cidr_string",
    "net.CIDR:containsCIDR(string) bool",
    ([a, b]) => containsNetwork(network(a), toNetwork(text(b)))
  ],
  [
    "cidr_contains_cidr",
    "net.CIDR:containsCIDR(net.CIDR) bool",
    ([a, b]) => containsNetwork(network(a), network(b))
  ],
  ["cidr_ip", "net.CIDR:ip() net.IP", ([a]) => new Address(network(a).bytes)],
  ["cidr_prefix_length", "net.CIDR:prefixLength() int", ([a]) => BigInt(network(a).bits)],
  [
    "cidr_masked",
    "net.CIDR:masked() net.CIDR",
    ([a]) => new Network(masked(network(a).bytes, network(a).bits), network(a).bits)
  ]
]);
function containsNetwork(outer, inner) {
  return outer.bits <= inner.bits && contains2(outer, inner.bytes);
}

// src/cel/library/optional-functions.ts
var firstMoment = -62135596800000000000n;
function isZero(value) {
  if (value === null || value === false || value === "" || value === 0 || value === 0n) return true;
  if (value instanceof CelList || value instanceof CelMap) {
    return !value.isOfResource && value.size === 0;
  }
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Timestamp) return value.nanoseconds === firstMoment;
  return value instanceof Duration && value.nanoseconds === 0n;
}
function dereference(value) {
  const content = value.value;
  if (content === void 0) throw new EvaluationError("optional.none() dereference");
  return content;
}
function unwrapped(list2) {
  const values = [];
  for (const item of list2.items()) {
    if (!(item instanceof Optional)) {
      throw new EvaluationError(`value ${printed(item)} is not optional`);
    }
    if (item.value !== void 0) values.push(item.value);
  }
  return listOf(values);
}
function itemAt(list2, index) {
  return list2.size === 0 ? noValue : new Optional(list2.at(index));
}
var planned2 = [
  [["optional_or_optional", "optional_type(V):or(optional_type(V)) optional_type(V)"]],
  [["optional_orValue_value", "optional_type(V):orValue(V) V"]],
  [["select_optional_field", "_?._(dyn, string) optional_type(V)"]],
  [
    ["list_optindex_optional_int", "_[?_](list(V), int) optional_type(V)"],
    ["optional_list_optindex_optional_int", "_[?_](optional_type(list(V)), int) optional_type(V)"],
    ["map_optindex_optional_value", "_[?_](map(K, V), K) optional_type(V)"],
    ["optional_map_optindex_optional_value", "_[?_](optional_type(map(K, V)), K) optional_type(V)"]
  ],
  [
    ["optional_list_index_int", "_[_](optional_type(list(V)), int) optional_type(V)"],
    ["optional_map_index_value", "_[_](optional_type(map(K, V)), K) optional_type(V)"]
  ]
].map((overloads) => declareWhole(overloads, { run: () => noValue }));
var optionalFunctions = [
  ...declare([
    ["optional_of", "optional.of(V) optional_type(V)", ([value]) => new Optional(value)],
    [
      "optional_ofNonZeroValue",
      "optional.ofNonZeroValue(V) optional_type(V)",
      ([value]) => isZero(value) ? noValue : new Optional(value)
    ],
    ["optional_none", "optional.none() optional_type(V)", () => noValue],
    ["optional_value", "optional_type(V):value() V", ([value]) => dereference(value)],
    [
      "optional_hasValue",
      "optional_type(V):hasValue() bool",
      ([value]) => value.isPresent
    ],
    [
      "list_last",
      "list(V):last() optional_type(V)",
      ([list2]) => itemAt(list2, list2.size - 1)
    ],
    ["list_first", "list(V):first() optional_type(V)", ([list2]) => itemAt(list2, 0)],
    [
      "optional_unwrap",
      "optional.unwrap(list(optional_type(V))) list(V)",
      ([list2]) => unwrapped(list2)
    ],
    [
      "optional_unwrapOpt",
      "list(optional_type(V)):unwrapOpt() list(V)",
      ([list2]) => unwrapped(list2)
    ]
  ]),
  ...planned2
];

// src/cel/library/quantity.ts
var nano = 1000000000n;
var wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
var wrongNumber = "unable to parse numeric part of quantity";
var wrongSuffix = "unable to parse quantity's suffix";
var decimal = /* @__PURE__ */ new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18]
]);
var binary2 = /* @__PURE__ */ new Map([
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60]
]);
var largestExponent = 1e3;
var Quantity = class _Quantity extends Opaque {
  /**
   * The amount is `value` times ten to the power of `scale`, which is -9 at least.
   *
   * @param isDecimal for what upstream does not hold as an int64 with its scale
   * @param isCalculated such a quantity is equal to others, but no other one is equal to it
   */
  constructor(value, scale, isDecimal = false, isCalculated = false) {
    super();
    this.value = value;
    this.scale = scale;
    this.isDecimal = isDecimal;
    this.isCalculated = isCalculated;
  }
  value;
  scale;
  isDecimal;
  isCalculated;
  typeName = "kubernetes.Quantity";
  hash = this;
  /** The amount in 10^-9. */
  get nanos() {
    return scaled2(this.value, this.scale + 9);
  }
  get goData() {
    return `(*resource.Quantity)${this.text}`;
  }
  /** With the largest suffix that leaves no fraction; upstream keeps some texts as they were written. */
  get text() {
    let [mantissa, power] = [this.nanos, -9];
    while (mantissa !== 0n && mantissa % 1000n === 0n && power < 18) {
      mantissa /= 1000n;
      power += 3;
    }
    const [suffix = ""] = [...decimal].find(([, exponent]) => exponent === power) ?? [];
    return mantissa === 0n ? "0" : `${mantissa}${suffix}`;
  }
  equals(other) {
    if (!(other instanceof _Quantity) || other.isCalculated) throw noSuchOverload();
    return other.nanos === this.nanos;
  }
  /** The int64, where upstream says that it is one: 1.0 and 1000m are none. */
  get integer() {
    if (this.isDecimal || this.scale < 0) return void 0;
    const whole = scaled2(this.value, this.scale);
    return isInt64(whole) ? whole : void 0;
  }
  get float() {
    const value = Number(this.value);
    return this.scale === 0 ? value : value * Number(`1e${this.scale}`);
  }
};
var scaled2 = (value, places) => value * 10n ** BigInt(places);
var isInt64 = (value) => value <= maxInt && value >= minInt;
function parseQuantity(text4) {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text4);
  if (text4 === "" || match === null) return wrongFormat;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  const binaryExponent = binary2.get(suffix);
  const exponent = binaryExponent === void 0 ? decimalExponent(suffix) : 0;
  if (exponent === void 0) return wrongSuffix;
  const digits = whole.replace(/^0+/, "");
  const multiplier = binaryExponent === void 0 ? 1n : 2n ** BigInt(binaryExponent);
  const unscaled = BigInt(`${digits}${fraction}` || "0") * multiplier;
  const used = (digits === "" ? 1 : digits.length) + fraction.length;
  const scale = binaryExponent === void 0 ? exponent - fraction.length : 0;
  const fits = binaryExponent === void 0 ? used <= 18 && scale >= -9 : fraction === "" && 15 - used - Math.trunc(binaryExponent * 3 / 10) - 1 >= 0;
  const signed = (amount) => sign === "-" ? -amount : amount;
  if (fits) return new Quantity(signed(unscaled), scale);
  if (`${whole}${fraction}` === "") return wrongNumber;
  const shift = exponent - fraction.length + 9;
  const nanos = shift >= 0 ? scaled2(unscaled, shift) : divideUp(unscaled, 10n ** BigInt(-shift));
  return binaryExponent !== void 0 && nanos > maxInt * nano ? new Quantity(signed(maxInt), 0, true) : new Quantity(signed(nanos), -9, true);
}
function decimalExponent(suffix) {
  const known2 = decimal.get(suffix);
  if (known2 !== void 0) return known2;
  const match = /^[eE]([-+]?\d+)$/.exec(suffix);
  if (match === null) return void 0;
  return Math.max(-largestExponent, Math.min(largestExponent, Number(match[1])));
}
function divideUp(amount, by) {
  return (amount + by - 1n) / by;
}
var quantity = (value) => value;
function order3(left, right) {
  if (left.nanos === right.nanos) return 0n;
  return left.nanos < right.nanos ? -1n : 1n;
}
function plus2(left, right, sign) {
  const added = sign * right.value;
  const isDecimal = left.isDecimal || right.isDecimal;
  if (!isDecimal && added === 0n) return new Quantity(left.value, left.scale, false, true);
  if (!isDecimal && left.value === 0n) return new Quantity(added, right.scale, false, true);
  const scale = Math.min(left.scale, right.scale);
  const terms = [
    scaled2(left.value, left.scale - scale),
    scaled2(added, right.scale - scale)
  ];
  const sum2 = terms[0] + terms[1];
  return new Quantity(sum2, scale, isDecimal || ![...terms, sum2].every(isInt64), true);
}
var quantityFunctions = declare([
  [
    "string_to_quantity",
    "quantity(string) kubernetes.Quantity",
    ([a]) => {
      const parsed2 = parseQuantity(a);
      if (typeof parsed2 === "string") throw new EvaluationError(parsed2);
      return parsed2;
    }
  ],
  [
    "is_quantity_string",
    "isQuantity(string) bool",
    ([a]) => typeof parseQuantity(a) !== "string"
  ],
  [
    "quantity_sign",
    "sign(kubernetes.Quantity) int",
    ([a]) => order3(quantity(a), new Quantity(0n, 0))
  ],
  [
    "quantity_is_greater_than",
    "kubernetes.Quantity:isGreaterThan(kubernetes.Quantity) bool",
    ([a, b]) => quantity(a).nanos > quantity(b).nanos
  ],
  [
    "quantity_is_less_than",
    "kubernetes.Quantity:isLessThan(kubernetes.Quantity) bool",
    ([a, b]) => quantity(a).nanos < quantity(b).nanos
  ],
  [
    "quantity_compare_to",
    "kubernetes.Quantity:compareTo(kubernetes.Quantity) int",
    ([a, b]) => order3(quantity(a), quantity(b))
  ],
  [
    "quantity_get_float",
    "kubernetes.Quantity:asApproximateFloat() double",
    ([a]) => quantity(a).float
  ],
  [
    "quantity_get_int",
    "kubernetes.Quantity:asInteger() int",
    ([a]) => {
      const { integer: integer3 } = quantity(a);
      if (integer3 === void 0) throw new EvaluationError("cannot convert value to integer");
      return integer3;
    }
  ],
  [
    "quantity_is_integer",
    "kubernetes.Quantity:isInteger() bool",
    ([a]) => quantity(a).integer !== void 0
  ],
  [
    "quantity_add",
    "kubernetes.Quantity:add(kubernetes.Quantity) kubernetes.Quantity",
    ([a, b]) => plus2(quantity(a), quantity(b), 1n)
  ],
  [
    "quantity_add_int",
    "kubernetes.Quantity:add(int) kubernetes.Quantity",
    ([a, b]) => plus2(quantity(a), new Quantity(b, 0), 1n)
  ],
  [
    "quantity_sub",
    "kubernetes.Quantity:sub(kubernetes.Quantity) kubernetes.Quantity",
    ([a, b]) => plus2(quantity(a), quantity(b), -1n)
  ],
  [
    "quantity_sub_int",
    "kubernetes.Quantity:sub(int) kubernetes.Quantity",
    ([a, b]) => plus2(quantity(a), new Quantity(b, 0), -1n)
  ]
]);

// src/text/go/regexp.ts
import { createRequire } from "node:module";
var library;
function engine() {
  library ??= createRequire(import.meta.url)("re2js");
  return library.RE2JS;
}
var nativeLength = 256;
var cacheLimit = 2e3;
var cache = /* @__PURE__ */ new Map();
function compilePattern(pattern) {
  let compiled = cache.get(pattern);
  if (compiled === void 0) {
    compiled = compile(pattern);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(pattern, compiled);
  }
  return compiled;
}
function compile(pattern) {
  const native = nativePattern(pattern);
  if (native === void 0) return compileRe2(pattern);
  let re2;
  const ofLongTexts = () => re2 ??= compileRe2(pattern);
  return {
    test: (text4) => text4.length <= nativeLength ? native.test(text4) : ofLongTexts().test(text4)
  };
}
function compileRe2(pattern) {
  try {
    return engine().compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unnamed = reason.includes("duplicate capture group name") ? withoutNames(pattern) : pattern;
    if (unnamed === pattern) return reason.includes(": `") ? reason : `${reason}: \`\``;
    const compiled = compileRe2(unnamed);
    return typeof compiled === "string" ? compiled.replace(`\`${unnamed}\``, () => `\`${pattern}\``) : compiled;
  }
}
var groupName = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P?<\w+>/g;
function withoutNames(pattern) {
  return pattern.replaceAll(groupName, (part2) => part2.startsWith("(") ? "(" : part2);
}
var token = /\^|\$|\.|\||\(\?:|\((?!\?)|\)\??|[*+?]\??|\{(?:0|[1-9]\d?)(?:,(?:0|[1-9]\d?)?)?\}\??|\[\^?(?:[^\\[\]]|\\[-\\\]^./dw$*+?|(){}])+\]|\\[\\^$.*+?()[\]{}|/dw-]|[A-Za-z0-9 _@:,;=#%&~'"<>!/-]/y;
function nativePattern(pattern) {
  if (!pattern.startsWith("^") || pattern.length > 500) return void 0;
  let source = "";
  let repeats = 0;
  let afterGroup = false;
  for (let index = 0; index < pattern.length; ) {
    token.lastIndex = index;
    const found2 = token.exec(pattern)?.[0];
    if (found2 === void 0) return void 0;
    index += found2.length;
    const isRepeat = /^[*+{]/.test(found2);
    if (isRepeat && (afterGroup || ++repeats > 2)) return void 0;
    afterGroup = found2.startsWith(")");
    source += translate(found2);
  }
  try {
    return new RegExp(source, "u");
  } catch {
    return void 0;
  }
}
function translate(found2) {
  if (found2 === ".") return "[^\\n]";
  return found2 === "\\-" ? "-" : found2;
}
function findAll(pattern, text4, limit) {
  const compiled = compileRe2(pattern);
  if (typeof compiled === "string") return compiled;
  const found2 = [];
  const matcher = compiled.matcher(text4);
  let end2 = -1;
  while (found2.length !== limit && matcher.find()) {
    if (matcher.start() === matcher.end() && matcher.start() === end2) continue;
    end2 = matcher.end();
    found2.push(matcher.group() ?? "");
  }
  return found2;
}

// src/cel/library/format-text.ts
var clauseNeeds = /* @__PURE__ */ new Map([
  ["b", "only integers and bools can be formatted as binary"],
  ["d", "decimal clause can only be used on integers"],
  ["e", "scientific clause can only be used on doubles"],
  ["f", "fixed-point clause can only be used on doubles"],
  ["o", "octal clause can only be used on integers"],
  [
    "s",
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
  ],
  ["x", "only integers, byte buffers, and strings can be formatted as hex"],
  ["X", "only integers, byte buffers, and strings can be formatted as hex"]
]);
function eachClause(format, count, show2) {
  let index = 0;
  let result = "";
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent < 0) return result + format.slice(at);
    result += format.slice(at, percent);
    if (format[percent + 1] === "%") {
      result += "%";
      at = percent + 2;
      continue;
    }
    if (index >= count) throw new EvaluationError(`index ${index} out of range`);
    if (percent + 1 >= format.length) throw new EvaluationError("unexpected end of string");
    const { clause, end: end2 } = readClause(format, percent + 1);
    result += show2(clause, index++);
    at = end2;
  }
  return result;
}
var clausePattern = /(?:\.([0-9]*))?([^]?)/uy;
function readClause(format, start) {
  clausePattern.lastIndex = start;
  const [all3, digits, verb = ""] = clausePattern.exec(format) ?? [""];
  if (digits !== void 0 && verb === "") {
    throw unreadable("error while parsing precision: could not find end of precision specifier");
  }
  const precision = digits === void 0 ? void 0 : precisionOf(digits);
  if (!clauseNeeds.has(verb)) {
    const [first = 0] = Buffer.from(verb);
    throw unreadable(`unrecognized formatting clause "${String.fromCodePoint(first)}"`);
  }
  return { clause: { verb, precision }, end: start + all3.length };
}
function precisionOf(digits) {
  const reason = digits === "" ? "invalid syntax" : "value out of range";
  const number2 = Number(digits);
  if (digits !== "" && number2 < 2 ** 63) return number2;
  throw unreadable(
    `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing ${quote(digits)}: ${reason}`
  );
}
function unreadable(reason) {
  return new EvaluationError(`could not parse formatting clause: ${reason}`);
}
function formatText(format, values) {
  return eachClause(format, values.size, (clause, index) => {
    const decimals = "ef".includes(clause.verb) ? clause.precision ?? 0 : 0;
    spendOnText(Math.min(decimals, maxDecimals));
    const text4 = show(clause, values.at(index));
    spendOnText(text4.length);
    return text4;
  });
}
function show({ verb, precision = 6 }, value) {
  switch (verb) {
    case "s":
      return textOf(value);
    case "d":
      return integerText(value, 10) ?? unfit(verb, value);
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return integerText(value, 2) ?? unfit(verb, value);
    case "o":
      return integerText(value, 8) ?? unfit(verb, value);
    case "f":
      return fixed(doubleOf(verb, value), precision);
    case "e":
      return scientific(doubleOf(verb, value), precision);
    default: {
      const hex = hexOf(value) ?? unfit(verb, value);
      return verb === "x" ? hex : hex.toUpperCase();
    }
  }
}
function unfit(verb, value) {
  return fail(`${clauseNeeds.get(verb) ?? ""}, was given ${typeNameOf(value)}`);
}
function fail(reason) {
  throw new EvaluationError(`error during formatting: ${reason}`);
}
function integerText(value, base) {
  if (typeof value === "bigint") return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : void 0;
}
var namedDoubles = /* @__PURE__ */ new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity]
]);
function doubleOf(verb, value) {
  if (typeof value === "number") return value;
  return namedDoubles.get(value) ?? unfit(verb, value);
}
function special2(value) {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "\u221E" : "-\u221E";
}
var maxDecimals = 1e6;
function fixed(value, precision) {
  if (precision > maxDecimals) return `%!(BADPREC)%!f(float64=${formatFloat(value)})`;
  if (!Number.isFinite(value)) return special2(value);
  const { digits, point } = roundedTo(value, (place) => place + precision);
  const whole = digits.slice(0, Math.max(point, 0)).padStart(1, "0");
  const fraction = `${"0".repeat(Math.max(-point, 0))}${digits.slice(Math.max(point, 0))}`;
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  const decimals = precision === 0 ? "" : `.${fraction.padEnd(precision % 256, "0")}`;
  return `${isNegative(value) ? "-" : ""}${grouped}${decimals}`;
}
function isNegative(value) {
  return value < 0 || Object.is(value, -0);
}
function digitsOf(value) {
  let decimals = 0;
  let integer3 = value;
  while (!Number.isInteger(integer3)) {
    integer3 *= 2;
    decimals++;
  }
  const all3 = value === 0 ? "" : String(BigInt(integer3) * 5n ** BigInt(decimals));
  return { digits: all3.replace(/0+$/, ""), point: all3.length - decimals };
}
function roundedTo(value, kept) {
  const { digits, point } = digitsOf(Math.abs(value));
  const count = kept(point);
  if (count >= digits.length) return { digits: digits.padEnd(Math.max(point, 0), "0"), point };
  if (count < 0) return { digits: "", point: 0 };
  const rest = digits.slice(count);
  const last = Number(digits[count - 1] ?? "0");
  const isUp = rest > "5" || rest === "5" && last % 2 === 1;
  const head = digits.slice(0, count);
  if (!isUp) return { digits: head.padEnd(Math.max(point, 0), "0"), point };
  const raised = String(BigInt(head === "" ? "0" : head) + 1n).padStart(count, "0");
  return {
    digits: raised.padEnd(Math.max(point, 0), "0"),
    point: point + raised.length - count
  };
}
var superscripts = "\u2070\xB9\xB2\xB3\u2074\u2075\u2076\u2077\u2078\u2079";
var decimalsOfScientific = 6;
function scientific(value, width) {
  if (width > maxDecimals) return `%!(BADWIDTH)%!e(float64=${formatFloat(value)})`;
  const text4 = Number.isFinite(value) ? scientificText(value) : special2(value);
  return " ".repeat(Math.max(0, width - text4.length)) + text4;
}
function scientificText(value) {
  const { digits, point } = roundedTo(value, () => decimalsOfScientific + 1);
  const shown = digits.slice(0, decimalsOfScientific + 1).padEnd(decimalsOfScientific + 1, "0");
  const power = value === 0 ? 0 : point - 1;
  const raised = String(Math.abs(power)).padStart(2, "0").replaceAll(/\d/g, (digit) => superscripts[Number(digit)]);
  const sign = isNegative(value) ? "-" : "";
  return `${sign}${shown[0]}.${shown.slice(1)}\xD710${power < 0 ? "\u207B" : ""}${raised}`;
}
function hexOf(value) {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integerText(value, 16);
}
function textOf(value) {
  if (value === null) return "null";
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  const isShown = typeof value !== "object" || value instanceof Uint || value instanceof Uint8Array || value instanceof Timestamp || value instanceof Duration || value instanceof TypeValue;
  if (!isShown) unfit("s", value);
  try {
    return toText(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return fail(`could not convert argument ${quote(error.message)} to string`);
  }
}
function listText(list2) {
  return `[${[...list2.items()].map(itemText).join(", ")}]`;
}
function mapText(map2) {
  const entries = map2.keys().map((key2) => {
    const isKey2 = typeof key2 === "string" || typeof key2 === "boolean" || typeof key2 === "bigint" || key2 instanceof Uint;
    if (!isKey2) fail(`no formatting function for map key of type ${typeNameOf(key2)}`);
    const value = map2.find(key2);
    return [itemText(key2), itemText(value ?? null)];
  });
  entries.sort(([one2], [other]) => compareBytes(one2, other));
  return `{${entries.map(([key2, value]) => `${key2}:${value}`).join(", ")}}`;
}
function itemText(value) {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return itemDouble(value);
  if (value instanceof Uint8Array) return `b${quote(textOf(value))}`;
  if (value instanceof Timestamp) return `timestamp(${quote(toText(value))})`;
  if (value instanceof Duration) return `duration(${quote(toText(value))})`;
  const isShown = value === null || typeof value !== "object" || isPart(value);
  return isShown ? textOf(value) : fail(`no formatting function for ${typeNameOf(value)}`);
}
function isPart(value) {
  return value instanceof CelList || value instanceof CelMap || value instanceof Uint || value instanceof TypeValue;
}
function itemDouble(value) {
  if (Number.isFinite(value)) return exactlyFixed(value);
  return quote(Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
}
function exactlyFixed(value) {
  if (Math.abs(value) < 1e21) return Object.is(value, -0) ? "-0.000000" : value.toFixed(6);
  return `${BigInt(value)}.000000`;
}

// src/cel/library/string-functions.ts
var text2 = (value) => value;
var int3 = (value) => value;
function outOfRange(index) {
  return new EvaluationError(`index out of range: ${index}`);
}
function within3(index, size) {
  if (index < 0n || index > BigInt(size)) throw outOfRange(index);
  return Number(index);
}
function charAt(value, index) {
  const runes = [...value];
  return runes[within3(index, runes.length)] ?? "";
}
function isAt(runes, wanted, index) {
  return wanted.every((rune, place) => runes[index + place] === rune);
}
function indexOf2(value, part2, offset) {
  if (part2 === "") return offset;
  if (offset < 0n) throw outOfRange(offset);
  const [runes, wanted] = [[...value], [...part2]];
  for (let index = Number(offset); index <= runes.length - wanted.length; index++) {
    if (isAt(runes, wanted, index)) return BigInt(index);
  }
  return -1n;
}
function lastIndexOf(value, part2, offset) {
  const [runes, wanted] = [[...value], [...part2]];
  if (part2 === "") return offset ?? BigInt(runes.length);
  if (offset !== void 0 && offset < 0n) throw outOfRange(offset);
  if (offset !== void 0 && offset >= BigInt(runes.length)) return -1n;
  const last = Math.min(Number(offset ?? runes.length), runes.length - wanted.length);
  for (let index = last; index >= 0; index--) {
    if (isAt(runes, wanted, index)) return BigInt(index);
  }
  return -1n;
}
function substring(value, start, end2) {
  const runes = [...value];
  if (end2 === void 0) return runes.slice(within3(start, runes.length)).join("");
  if (start > end2) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end2}`);
  }
  return runes.slice(within3(start, runes.length), within3(end2, runes.length)).join("");
}
var longText = 1e3;
function occurrences(value, part2) {
  return part2 === "" ? value.length + 1 : value.split(part2).length - 1;
}
function split2(value, separator2, limit) {
  if (limit === 0n) return [];
  const parts2 = separator2 === "" ? [...value] : value.split(separator2);
  if (limit < 0n || BigInt(parts2.length) <= limit) return parts2;
  const last = Number(limit) - 1;
  return [...parts2.slice(0, last), parts2.slice(last).join(separator2)];
}
function replace(value, old, by, limit) {
  if (limit === 0n || old === by) return value;
  const most2 = Math.floor(value.length / Math.max(old.length, 1)) + 1;
  const count = limit < 0n || limit > BigInt(most2) ? most2 : Number(limit);
  if (count * by.length > longText) spendOnText(occurrences(value, old) * by.length);
  if (old !== "") return split2(value, old, limit < 0n ? limit : limit + 1n).join(by);
  let left = limit < 0n ? Infinity : Number(limit);
  const put = () => left-- > 0 ? by : "";
  return [...value].reduce((result, rune) => result + rune + put(), put());
}
var lowerAscii = (value) => value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
var upperAscii = (value) => value.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
var space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
function trim2(value) {
  let [start, end2] = [0, value.length];
  while (start < end2 && space.test(value[start])) start++;
  while (end2 > start && space.test(value[end2 - 1])) end2--;
  return value.slice(start, end2);
}
function matches2(value, pattern) {
  spend(value.length * pattern.length / 40);
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") throw new EvaluationError(compiled);
  return compiled.test(value);
}
function found(value, pattern, limit) {
  spend(value.length * pattern.length / 40);
  const result = findAll(pattern, value, Number(limit));
  if (typeof result === "string") throw new EvaluationError(`Illegal regex: ${result}`);
  return result;
}
function goText(value) {
  if (typeof value === "string") return value;
  if (value instanceof TypeValue) return value.typeName;
  throw noSuchOverload();
}
var literalPattern = (match) => (pattern) => {
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") return compiled;
  return (values) => match(goText(values[0]), pattern, values);
};
function limitOf(value) {
  if (value === void 0) return -1n;
  if (typeof value === "bigint") return value;
  throw noSuchOverload();
}
function join(list2, separator2) {
  const parts2 = [];
  for (const item of list2.items()) {
    if (typeof item !== "string") {
      throw new EvaluationError(`join: invalid input: ${printed(item)}`);
    }
    spendOnText(item.length + separator2.length);
    parts2.push(item);
  }
  return parts2.join(separator2);
}
function quote2(value) {
  return `"${[...value].map((rune) => escaped.get(rune) ?? rune.replace(/^[\ud800-\udfff]$/, "\uFFFD")).join("")}"`;
}
var contains3 = (test) => ([value, part2]) => {
  if (typeof value !== "string" || typeof part2 !== "string") throw noSuchOverload();
  return test(value, part2);
};
var standardStrings = [
  ...declare(
    [
      [
        "contains_string",
        "string:contains(string) bool",
        contains3((value, part2) => value.includes(part2))
      ],
      [
        "ends_with_string",
        "string:endsWith(string) bool",
        contains3((value, part2) => value.endsWith(part2))
      ],
      [
        "starts_with_string",
        "string:startsWith(string) bool",
        contains3((value, part2) => value.startsWith(part2))
      ]
    ],
    ["contains", "endsWith", "startsWith"]
  ),
  {
    ...declareWhole(
      [
        ["matches", "matches(string, string) bool"],
        ["matches_string", "string:matches(string) bool"]
      ],
      {
        takes: (value) => typeof value === "string",
        run: ([value, pattern]) => {
          if (typeof pattern !== "string") throw noSuchOverload();
          return matches2(text2(value), pattern);
        }
      }
    ),
    withPattern: literalPattern((value, pattern, _) => matches2(value, pattern))
  }
];
var withPatterns = /* @__PURE__ */ new Map([
  ["find", literalPattern((value, pattern, _) => found(value, pattern, 1n)[0] ?? "")],
  [
    "findAll",
    literalPattern((value, pattern, [, , limit]) => listOf(found(value, pattern, limitOf(limit))))
  ]
]);
var regexFunctions = declare([
  [
    "string_find_string",
    "string:find(string) string",
    ([value, pattern]) => found(text2(value), text2(pattern), 1n)[0] ?? ""
  ],
  [
    "string_find_all_string",
    "string:findAll(string) list(string)",
    ([value, pattern]) => listOf(found(text2(value), text2(pattern), -1n))
  ],
  [
    "string_find_all_string_int",
    "string:findAll(string, int) list(string)",
    ([value, pattern, limit]) => listOf(found(text2(value), text2(pattern), int3(limit)))
  ]
]).map((declared) => {
  const withPattern = withPatterns.get(declared.name);
  return withPattern === void 0 ? declared : { ...declared, withPattern };
});
var stringFunctions = declare([
  [
    "string_char_at_int",
    "string:charAt(int) string",
    ([value, index]) => charAt(text2(value), int3(index))
  ],
  [
    "string_index_of_string",
    "string:indexOf(string) int",
    ([value, part2]) => indexOf2(text2(value), text2(part2), 0n)
  ],
  [
    "string_index_of_string_int",
    "string:indexOf(string, int) int",
    ([value, part2, offset]) => indexOf2(text2(value), text2(part2), int3(offset))
  ],
  [
    "string_last_index_of_string",
    "string:lastIndexOf(string) int",
    ([value, part2]) => lastIndexOf(text2(value), text2(part2), void 0)
  ],
  [
    "string_last_index_of_string_int",
    "string:lastIndexOf(string, int) int",
    ([value, part2, offset]) => lastIndexOf(text2(value), text2(part2), int3(offset))
  ],
  ["string_lower_ascii", "string:lowerAscii() string", ([value]) => lowerAscii(text2(value))],
  [
    "string_replace_string_string",
    "string:replace(string, string) string",
    ([value, old, by]) => replace(text2(value), text2(old), text2(by), -1n)
  ],
  [
    "string_replace_string_string_int",
    "string:replace(string, string, int) string",
    ([value, old, by, limit]) => replace(text2(value), text2(old), text2(by), int3(limit))
  ],
  [
    "string_split_string",
    "string:split(string) list(string)",
    ([value, separator2]) => listOf(split2(text2(value), text2(separator2), -1n))
  ],
  [
    "string_split_string_int",
    "string:split(string, int) list(string)",
    ([value, separator2, limit]) => listOf(split2(text2(value), text2(separator2), int3(limit)))
  ],
  [
    "string_substring_int",
    "string:substring(int) string",
    ([value, start]) => substring(text2(value), int3(start), void 0)
  ],
  [
    "string_substring_int_int",
    "string:substring(int, int) string",
    ([value, start, end2]) => substring(text2(value), int3(start), int3(end2))
  ],
  ["string_trim", "string:trim() string", ([value]) => trim2(text2(value))],
  ["string_upper_ascii", "string:upperAscii() string", ([value]) => upperAscii(text2(value))],
  [
    "string_format",
    "string:format(list(dyn)) string",
    ([value, values]) => formatText(text2(value), values)
  ],
  ["strings_quote", "strings.quote(string) string", ([value]) => quote2(text2(value))],
  ["list_join", "list(string):join() string", ([list2]) => join(list2, "")],
  [
    "list_join_string",
    "list(string):join(string) string",
    ([list2, separator2]) => join(list2, text2(separator2))
  ]
]);

// src/cel/library/kubernetes.ts
var standardFunctions = [
  ...operators,
  ...conversionFunctions,
  ...standardStrings,
  ...timeFunctions
];
var standardTypes = new Map(
  [
    types2.bool,
    types2.bytes,
    types2.double,
    types2.duration,
    types2.int,
    listOfType(types2.dyn),
    mapOfType(types2.dyn, types2.dyn),
    types2.null,
    types2.string,
    types2.timestamp,
    types2.type,
    types2.uint
  ].map((type2) => [type2.name, type2])
);
var kubernetesLibraries = {
  standard: standardFunctions,
  urls: urlFunctions,
  regex: regexFunctions,
  lists: kubernetesLists,
  authorization: authorizationFunctions,
  optionals: optionalFunctions,
  quantities: quantityFunctions,
  strings: stringFunctions,
  sets,
  networks: networkFunctions,
  formats: formatFunctions,
  mapInsertion,
  semver: semverFunctions,
  listExtensions: listFunctions
};
var kubernetes = {
  functions: new FunctionTable(Object.values(kubernetesLibraries)),
  macros: kubernetesMacros,
  hasOptionals: true,
  types: new Map([
    ...standardTypes,
    ...["optional_type", "net.IP", "net.CIDR"].map((name2) => [name2, opaqueType(name2)])
  ]),
  fieldOf: (fields, name2) => fields.get(name2) ?? fields.get(`__${name2}__`),
  checksLiterals: true,
  checksFormats: true,
  foldsLiterals: true
};

// src/cel/attribute.ts
function qualify(attribute, qualifier) {
  if ("base" in attribute) {
    return { base: attribute.base, qualifiers: [...attribute.qualifiers, qualifier] };
  }
  const { condition, yes: yes2, no: no2 } = attribute;
  return { condition, yes: qualify(yes2, qualifier), no: qualify(no2, qualifier) };
}
function readAttribute(attribute) {
  if ("condition" in attribute) {
    const { condition } = attribute;
    const [yes2, no2] = [readAttribute(attribute.yes), readAttribute(attribute.no)];
    return (frame) => truth(condition(frame)) ? yes2(frame) : no2(frame);
  }
  const { base, qualifiers } = attribute;
  return (frame) => {
    const value = base(frame);
    return value instanceof Optional || qualifiers.length > 0 ? follow(value, qualifiers, frame) : value;
  };
}
function truth(value) {
  if (typeof value === "boolean") return value;
  throw new EvaluationError("no such overload");
}
function follow(start, qualifiers, frame) {
  if (!(start instanceof Optional)) return followFrom(start, false, qualifiers, frame);
  if (!start.isPresent) return start;
  const content = attempt(() => asPlainData(start.value));
  if (qualifiers.length === 0) return new Optional(content);
  if (content instanceof EvaluationError) throw content;
  return followFrom(content, true, qualifiers, frame);
}
function followFrom(start, startsOptional, qualifiers, frame) {
  let value = start;
  let isOptional2 = startsOptional;
  for (const qualifier of qualifiers) {
    isOptional2 ||= qualifier.isOptional;
    spend(1);
    const found2 = find(value, keyOf(qualifier.key(frame)), isOptional2 || qualifier.isTest === true);
    if (found2 === void 0) return qualifier.isTest === true && !isOptional2 ? false : noValue;
    value = found2;
    if (qualifier.isTest === true) value = true;
  }
  return isOptional2 ? new Optional(value) : value;
}
function asPlainData(value) {
  if (value instanceof CelList || value instanceof CelMap) return value.withoutSchema();
  if (value instanceof Optional) return asPlainData(value.value ?? null);
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof Opaque && value.goData !== void 0) {
    throw new EvaluationError(`unsupported conversion to ref.Val: ${value.goData}`);
  }
  return value;
}
function keyOf(value) {
  if (value instanceof Uint) return value;
  if (value !== null && typeof value !== "object") return value;
  throw new EvaluationError(`invalid qualifier type: ${goTypeOf(value)}`);
}
function find(container, key2, mayBeAbsent) {
  if (container instanceof CelMap) {
    const found2 = container.find(key2);
    if (found2 !== void 0 || mayBeAbsent) return found2;
  } else if (container instanceof CelList) {
    const index = indexOf(key2);
    if (index >= 0 && index < container.size) return itemOf(container, key2, index);
    if (mayBeAbsent) return void 0;
    throw new EvaluationError(`index out of bounds: ${printed(key2)}`);
  } else if (mayBeAbsent) return void 0;
  throw new EvaluationError(`no such key: ${printed(key2)}`);
}
function itemOf(list2, key2, index) {
  if (list2.isOfResource && typeof key2 !== "bigint") {
    throw new EvaluationError(`unsupported index: ${printed(key2)}`);
  }
  return list2.at(index);
}

// src/cel/frame.ts
var Frame = class _Frame {
  /** @param variables each is asked for its value when the expression reads it */
  constructor(variables) {
    this.variables = variables;
  }
  variables;
  /** Variables of folds, by the slot that the plan gave them; an error is one once it is read. */
  locals = [];
  /** The frame as it is around a fold, whose variables begin at the slot. */
  outside(slot) {
    const frame = new _Frame(this.variables);
    frame.locals.push(...this.locals.slice(0, slot));
    return frame;
  }
};

// src/cel/membership.ts
function membership(value, list2) {
  if (list2.size === 0) return { run: () => false, constant: { value: false } };
  const set2 = /* @__PURE__ */ new Set();
  for (const item of list2.items()) {
    const isPrimitive = item instanceof Uint || item !== null && typeof item !== "object";
    if (!isPrimitive) return void 0;
    for (const candidate of [item, ...equalNumbers(item)]) set2.add(hashOf(candidate));
  }
  return {
    run: (frame) => {
      spend(1);
      return set2.has(hashOf(value(frame)));
    }
  };
}
function equalNumbers(value) {
  const integer3 = value instanceof Uint ? value.value : value;
  if (typeof integer3 === "bigint") {
    const other = typeof value === "bigint" ? new Uint(integer3) : integer3;
    const hasOther = typeof value === "bigint" ? integer3 >= 0n : integer3 < 2n ** 63n;
    return [Number(integer3), ...hasOther ? [other] : []];
  }
  if (typeof value !== "number" || !Number.isInteger(value)) return [];
  return [
    ...Math.abs(value) < 2 ** 63 ? [BigInt(value)] : [],
    ...value >= 0 && value < 2 ** 64 ? [new Uint(BigInt(value))] : []
  ];
}

// src/cel/dispatch.ts
function callOf({ name: name2, overloads = [] }, language) {
  const called = language.functions.find(name2);
  if (called.whole !== void 0) return callWhole(called.name, called.whole);
  const [first] = overloads.length === 1 ? overloads : called.overloads;
  if (overloads.length === 1 || called.overloads.length === 1) {
    return callOne(called, first);
  }
  return (values) => {
    for (const overload of called.overloads) {
      const { run } = overload;
      if (run !== void 0 && takesAll(overload, values, called.isUnguarded)) {
        return run(values);
      }
    }
    throw noOverload(name2, values);
  };
}
function callWhole(name2, { takes: takes2, run }) {
  return (values) => {
    const [first] = values;
    if (takes2 === void 0 || takes2(first)) return run(values);
    const isReceiver = typeof first === "string" || first instanceof Timestamp || first instanceof Duration;
    throw isReceiver ? noSuchOverload() : new EvaluationError(`no such overload: ${name2}`);
  };
}
function callOne(called, overload) {
  const run = overload.run;
  if (called.isUnguarded) return run;
  return (values) => {
    if (takesAll(overload, values, false)) return run(values);
    throw noOverload(called.name, values);
  };
}
function noOverload(name2, values) {
  return new EvaluationError(`no such overload: ${name2}(${values.map(typeNameOf).join(", ")})`);
}
function takesAll({ parameters }, values, isUnguarded) {
  if (parameters.length !== values.length) return false;
  return isUnguarded || parameters.every((type2, index) => takes(type2, values[index]));
}
function takes(type2, value) {
  if (type2.kind === "dyn" || type2.kind === "any" || type2.kind === "parameter") return true;
  if (type2.name !== typeNameOf(value)) return false;
  const [first, second3] = type2.parameters;
  if (value instanceof CelList) {
    return value.size === 0 || takesRead(first, () => value.at(0));
  }
  if (!(value instanceof CelMap)) return true;
  const [key2] = value.keys();
  if (key2 === void 0) return true;
  const content = () => value.find(key2) ?? null;
  return takes(first, key2) && takesRead(second3, content);
}
function takesRead(type2, read2) {
  const value = attempt(read2);
  return value instanceof EvaluationError ? type2.kind === "dyn" : takes(type2, value);
}

// src/cel/plan.ts
var NoProgram = class extends Error {
  name = "NoProgram";
};
var steps = 1e6;
function plan(tree, language) {
  return within({ steps }, () => new Planner(language).plan(tree, void 0).run);
}
function valueOf(run) {
  return attempt(() => run(new Frame(/* @__PURE__ */ new Map())));
}
function constant(value) {
  return { run: () => value, constant: { value } };
}
function ofAttribute(attribute) {
  return { run: readAttribute(attribute), attribute };
}
var Planner = class {
  constructor(language) {
    this.language = language;
  }
  language;
  plan(node, slots) {
    switch (node.kind) {
      case "literal":
        return constant(node.value);
      case "identifier":
        return this.planName(node, node.name, slots);
      case "select": {
        if (node.qualified !== void 0) return this.planName(node, node.qualified, slots);
        const { field: field2, isTest } = node;
        const qualifier = { isOptional: false, isTest, key: () => field2 };
        const attribute = qualify(asAttribute(this.plan(node.operand, slots)), qualifier);
        return isTest ? { run: presence(attribute), attribute } : ofAttribute(attribute);
      }
      case "call":
        return this.planCall(node, slots);
      case "list":
        return this.planList(node, slots);
      case "map":
        return this.planMap(node, slots);
      case "fold":
        return { run: this.planFold(node, slots) };
      default:
        throw new NotEvaluable("the expression makes a message of protocol buffers");
    }
  }
  planName(node, written, slots) {
    const name2 = written.startsWith(".") ? written.slice(1) : written;
    const type2 = this.language.types.get(name2);
    if (node.type?.kind === "type") {
      if (type2 === void 0) throw new NoProgram(`reference to undefined type: ${name2}`);
      return constant(new TypeValue(type2.name));
    }
    for (let slot = slots; slot !== void 0; slot = slot.outer) {
      if (slot.name === name2) return ofAttribute({ base: slot.read, qualifiers: [] });
    }
    const base = (frame) => {
      const read2 = frame.variables.get(name2);
      if (read2 === void 0) throw new EvaluationError(`no such attribute(s): ${name2}`);
      return read2();
    };
    return ofAttribute({ base, qualifiers: [] });
  }
  planCall(node, slots) {
    const operands = node.target === void 0 ? node.args : [node.target, ...node.args];
    const args = operands.map((operand) => this.plan(operand, slots));
    const [first, second3, third] = args;
    switch (node.name) {
      case "_&&_":
        return { run: connective(first.run, second3.run, false) };
      case "_||_":
        return { run: connective(first.run, second3.run, true) };
      case "_?_:_":
        return ofAttribute({
          condition: first.run,
          yes: asAttribute(second3),
          no: asAttribute(third)
        });
      case "_==_":
        return { run: equality(first.run, second3.run) };
      case "_!=_":
        return { run: inequality(first.run, second3.run) };
      case "_[_]":
        return this.planIndex(first, second3, false);
      case "_[?_]":
      case "_?._":
        return this.planIndex(first, second3, true);
      case "or":
      case "orValue":
        return { run: alternative(first.run, second3.run, node.name === "orValue") };
      case "@not_strictly_false":
        return { run: notStrictlyFalse(first.run) };
      default:
        return this.planFunction(node, args);
    }
  }
  planIndex(operand, index, isOptional2) {
    if (index.constant !== void 0 && !isKey(index.constant.value)) {
      throw new NoProgram(`invalid qualifier type: ${goTypeOf(index.constant.value)}`);
    }
    return ofAttribute(qualify(asAttribute(operand), { isOptional: isOptional2, key: index.run }));
  }
  planFunction(node, args) {
    const call = callOf(node, this.language);
    const runs = args.map((arg) => arg.run);
    const counted = this.language.foldsLiterals === true ? countedList(node) : void 0;
    const run = counted === void 0 ? invoke(call, runs) : invokeCounting(call, runs, counted);
    if (this.language.foldsLiterals !== true) return { run };
    if (node.overloads?.length === 1 && node.overloads[0]?.id === "in_list") {
      const known2 = args[1]?.constant?.value;
      if (known2 instanceof CelList) {
        const optimised = membership(args[0].run, known2);
        if (optimised !== void 0) return optimised;
      }
    }
    if (conversions.has(node.name) && args.length === 1 && args[0]?.constant !== void 0) {
      return folded(run);
    }
    const pattern = args[1]?.constant?.value;
    const withPattern = this.language.functions.find(node.name)?.withPattern;
    if (withPattern !== void 0 && typeof pattern === "string") {
      const matching2 = withPattern(pattern);
      if (typeof matching2 === "string") throw new NoProgram(matching2);
      return {
        run: invoke(
          matching2,
          args.map((arg) => arg.run)
        )
      };
    }
    return { run };
  }
  planList({ items, optional }, slots) {
    const planned4 = items.map((item) => this.plan(item, slots));
    const runs = planned4.map(({ run: run2 }) => run2);
    const run = (frame) => {
      spend(runs.length);
      const values = [];
      for (const [index, item] of runs.entries()) {
        const value = item(frame);
        if (!optional.has(index)) values.push(value);
        else if (!(value instanceof Optional)) {
          throw new EvaluationError(
            `cannot initialize optional list element from non-optional value ${printed(value)}`
          );
        } else if (value.isPresent) values.push(value.value);
      }
      return listOf(values);
    };
    return this.folds(planned4) ? literal2(run) : { run };
  }
  planMap({ entries }, slots) {
    const planned4 = entries.map(({ key: key2, value, isOptional: isOptional2 }) => ({
      key: this.plan(key2, slots),
      value: this.plan(value, slots),
      isOptional: isOptional2
    }));
    const run = (frame) => {
      spend(planned4.length);
      const made = [];
      for (const { key: key2, value, isOptional: isOptional2 } of planned4) {
        const [name2, content] = [key2.run(frame), value.run(frame)];
        if (!isOptional2) made.push([name2, content]);
        else if (content instanceof Optional) made.push([name2, content.value]);
        else {
          throw new EvaluationError(
            `cannot initialize optional entry '${printed(name2)}' from non-optional value ${printed(content)}`
          );
        }
      }
      return mapOf(made);
    };
    return this.folds(planned4.flatMap(({ key: key2, value }) => [key2, value])) ? literal2(run) : { run };
  }
  folds(parts2) {
    return this.language.foldsLiterals === true && parts2.every(({ constant: it }) => it !== void 0);
  }
  planFold(node, slots) {
    const depth = slots === void 0 ? 0 : slots.depth + 1;
    const range = this.plan(node.range, slots).run;
    const initial = this.plan(node.initial, slots).run;
    const accumulator2 = {
      name: node.accumulator,
      read: (frame) => readLocal(frame, depth, initial),
      depth,
      outer: slots
    };
    const variable = variableAt(node.variable, depth + 1, accumulator2);
    const inner = node.secondVariable === void 0 ? variable : variableAt(node.secondVariable, depth + 2, variable);
    const condition = this.plan(node.condition, inner).run;
    const step = this.plan(node.step, inner).run;
    const result = this.plan(node.result, accumulator2).run;
    const entries = node.secondVariable === void 0 ? singleEntries : pairedEntries;
    return (frame) => {
      const over = range(frame);
      frame.locals[depth] = void 0;
      for (const [first, second3] of entries(over)) {
        spend(1);
        frame.locals[depth + 1] = attempt(first);
        if (second3 !== void 0) frame.locals[depth + 2] = attempt(second3);
        const goesOn = attempt(() => condition(frame));
        if (typeof goesOn === "boolean" && !goesOn) break;
        frame.locals[depth] = attempt(() => step(frame));
      }
      return finished(result(frame));
    };
  }
};
function presence(attribute) {
  const read2 = readAttribute(attribute);
  return (frame) => {
    const found2 = read2(frame);
    return found2 instanceof Optional ? found2.isPresent : found2;
  };
}
function countedList({ overloads = [] }) {
  const [first, ...others] = overloads;
  if (first === void 0 || others.length > 0) return void 0;
  if (first.id === "list_distinct" || /^list_.*_sort$/.test(first.id)) return 0;
  return first.id.endsWith("_sortByAssociatedKeys") ? 1 : void 0;
}
function invokeCounting(call, args, counted) {
  return (frame) => {
    spend(1);
    const values = args.map((arg) => attempt(() => arg(frame)));
    const list2 = values[counted];
    if (!(list2 instanceof CelList)) throw new Panic(notCountable(list2));
    for (const value of values) if (value instanceof EvaluationError) throw value;
    return call(values);
  };
}
function notCountable(value) {
  const isError = value instanceof EvaluationError;
  const type2 = isError ? "*types.Err" : goTypeOf(value);
  const hasAdd = typeof value === "bigint" || typeof value === "string";
  return `interface conversion: ${type2} is not traits.Lister: missing method ${hasAdd ? "Contains" : "Add"}`;
}
function asAttribute({ attribute, run }) {
  return attribute ?? { base: run, qualifiers: [] };
}
function isKey(value) {
  return value !== null && (typeof value !== "object" || goTypeOf(value) === "types.Uint");
}
function folded(run) {
  const value = valueOf(run);
  if (value instanceof EvaluationError) throw new NoProgram(value.message);
  return constant(value);
}
function literal2(run) {
  try {
    const value = valueOf(run);
    return value instanceof EvaluationError ? { run } : constant(value);
  } catch (error) {
    if (error instanceof Panic) throw new CompilerPanic(error.message);
    throw error;
  }
}
var conversions = /* @__PURE__ */ new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint"
]);
function invoke(call, args) {
  return (frame) => {
    spend(1);
    const values = args.map((arg) => arg(frame));
    for (const value of values) {
      if (typeof value === "string" || value instanceof Uint8Array) spendOnText(value.length);
    }
    return call(values);
  };
}
function connective(left, right, decisive) {
  return (frame) => {
    const first = attempt(() => left(frame));
    if (first === decisive) return decisive;
    const second3 = attempt(() => right(frame));
    if (second3 === decisive) return decisive;
    for (const value of [first, second3]) {
      if (value instanceof EvaluationError) throw value;
      if (typeof value !== "boolean") throw noSuchOverload();
    }
    return !decisive;
  };
}
function notStrictlyFalse(run) {
  return (frame) => attempt(() => run(frame)) !== false;
}
function equality(left, right) {
  return (frame) => {
    const [one2, other] = [left(frame), right(frame)];
    return equal(one2, other);
  };
}
function inequality(left, right) {
  return (frame) => {
    const [one2, other] = [left(frame), right(frame)];
    return attempt(() => equal(one2, other)) !== true;
  };
}
function alternative(optional, other, unwraps) {
  return (frame) => {
    spend(1);
    const value = optional(frame);
    if (!(value instanceof Optional)) return value;
    if (!value.isPresent) return other(frame);
    return unwraps ? value.value : value;
  };
}
function mapOf(entries) {
  const kept = [];
  for (const [key2, value] of entries) {
    if (value !== void 0) kept.push([key2, value]);
    else {
      for (let index = kept.length - 1; index >= 0; index--) {
        if (kept[index]?.[0] === key2) kept.splice(index, 1);
      }
    }
  }
  return new ValueMap(kept);
}
function variableAt(name2, depth, outer) {
  return { name: name2, read: (frame) => readLocal(frame, depth, void 0), depth, outer };
}
function readLocal(frame, slot, initial) {
  let value = frame.locals[slot];
  if (value === void 0) {
    value = attempt(() => growing(initial(frame.outside(slot))));
    frame.locals[slot] = value;
  }
  if (value instanceof EvaluationError) throw value;
  return value;
}
function growing(value) {
  if (value instanceof CelList && value.size === 0) return new GrowingList();
  return value instanceof CelMap && value.size === 0 ? new GrowingMap() : value;
}
function finished(value) {
  return value instanceof GrowingList || value instanceof GrowingMap ? value.finished() : value;
}
function* singleEntries(range) {
  if (range instanceof CelList) {
    for (let index = 0; index < range.size; index++) yield [() => range.at(index)];
  } else if (range instanceof CelMap) {
    for (const key2 of range.keys()) yield [() => key2];
  } else throw new EvaluationError(`got '${goTypeOf(range)}', expected iterable type`);
}
function* pairedEntries(range) {
  if (range instanceof CelMap) {
    for (const key2 of range.keys()) yield [() => key2, () => range.find(key2) ?? null];
  } else if (range instanceof CelList) {
    for (let index = 0; index < range.size; index++) {
      yield [() => BigInt(index), () => range.at(index)];
    }
  } else {
    throw new EvaluationError(`unsupported comprehension range type: ${goTypeOf(range)}`);
  }
}

// src/cel/unification.ts
var nullable = /* @__PURE__ */ new Set(["any", "duration", "object", "opaque", "timestamp", "dyn", "null"]);
var Unification = class {
  /** What each variable stands for, as far as it is known. */
  bound = /* @__PURE__ */ new Map();
  /** What was bound before, so that an attempt that fails leaves no trace. */
  undo = [];
  variables = 0;
  newVariable() {
    return { kind: "parameter", name: `_var${this.variables++}`, parameters: [] };
  }
  /** Whether a value of one type may stand for one of the other; variables are bound on the way. */
  isAssignable(one2, other) {
    return this.attempt(() => this.assign(one2, other));
  }
  areAssignable(ones, others) {
    return this.attempt(() => this.assignAll(ones, others));
  }
  /** The type with what its variables stand for. @param closed free variables become dyn */
  resolve(type2, closed = false) {
    const known2 = type2.kind === "parameter" ? this.bound.get(type2.name) : void 0;
    if (known2 !== void 0) return this.resolve(known2, closed);
    if (type2.kind === "parameter") return closed ? types2.dyn : type2;
    if (type2.parameters.length === 0) return type2;
    return { ...type2, parameters: type2.parameters.map((part2) => this.resolve(part2, closed)) };
  }
  attempt(run) {
    this.undo.length = 0;
    if (run()) return true;
    for (const [variable, before] of this.undo.reverse()) {
      if (before === void 0) this.bound.delete(variable);
      else this.bound.set(variable, before);
    }
    return false;
  }
  bind(variable, type2) {
    this.undo.push([variable.name, this.bound.get(variable.name)]);
    this.bound.set(variable.name, type2);
  }
  assign(one2, other) {
    if (other.kind === "parameter") {
      const { fits, isKnown } = this.standsFor(one2, other);
      if (fits || isKnown) return fits;
    }
    if (one2.kind === "parameter") return this.standsFor(other, one2).fits;
    if (one2.kind === "error" || other.kind === "error") return true;
    if (isDynamic(one2) || isDynamic(other)) return true;
    if (one2.kind === "null") return nullable.has(other.kind);
    if (other.kind === "null") return nullable.has(one2.kind);
    if (one2.kind !== other.kind) return false;
    if (one2.kind === "type") return true;
    return one2.name === other.name && this.assignAll(one2.parameters, other.parameters);
  }
  assignAll(ones, others) {
    return ones.length === others.length && ones.every((one2, index) => this.assign(one2, others[index]));
  }
  /** Whether the variable can stand for the type, and whether it already stands for one. */
  standsFor(type2, variable) {
    if (sameType(type2, variable)) return { fits: true, isKnown: true };
    const known2 = this.bound.get(variable.name);
    if (known2 === void 0) {
      if (this.occursIn(variable, type2)) return { fits: false, isKnown: false };
      this.bind(variable, type2);
      return { fits: true, isKnown: false };
    }
    if (sameType(type2, known2)) return { fits: true, isKnown: true };
    if (!this.assign(type2, known2)) return { fits: false, isKnown: true };
    const general2 = moreGeneral(type2, known2);
    if (!this.occursIn(variable, general2)) this.bind(variable, general2);
    return { fits: true, isKnown: true };
  }
  occursIn(variable, type2) {
    if (sameType(variable, type2)) return true;
    if (type2.kind !== "parameter") {
      return type2.parameters.some((part2) => this.occursIn(variable, part2));
    }
    const known2 = this.bound.get(type2.name);
    return known2 !== void 0 && this.occursIn(variable, known2);
  }
};
function moreGeneral(one2, other) {
  return isAsGeneral(one2, other) ? one2 : other;
}
function isAsGeneral(one2, other) {
  if (isDynamic(one2) || one2.kind === "parameter") return true;
  if (isDynamic(other) || other.kind === "parameter") return false;
  if (one2.kind !== other.kind) return false;
  switch (one2.kind) {
    case "type":
      return true;
    case "list":
    case "map":
    case "opaque":
      return one2.name === other.name && one2.parameters.length === other.parameters.length && one2.parameters.every((part2, index) => isAsGeneral(part2, other.parameters[index]));
    default:
      return sameType(one2, other);
  }
}

// src/cel/checker.ts
function check(tree, variables, language) {
  const checker = new Checker(variables, language);
  checker.check(tree);
  checker.close(tree);
  return checker.mistakes;
}
var Checker = class {
  constructor(variables, language) {
    this.language = language;
    this.scope = { names: variables, outer: void 0 };
    this.hidesMixedComparisons = language.hidesMixedComparisons === true;
  }
  language;
  mistakes = [];
  unification = new Unification();
  scope;
  /** cel-go forgets in the first comprehension which overloads are not to be found. */
  hidesMixedComparisons;
  check(node) {
    const type2 = node.type = this.typeOf(node);
    const before = node.copyOf?.type;
    if (this.language.sharesOptionals === true && before && !sameType(before, type2)) {
      const both2 = `old:${typeText(before)}, new:${typeText(type2)}`;
      this.report(`incompatible type already exists for expression: ${both2}`, node);
    }
    return type2;
  }
  /** Replaces type variables by what they stand for, by dyn where that is nothing. */
  close(node) {
    if (node.type !== void 0) node.type = this.unification.resolve(node.type, true);
    for (const child of childrenOf(node)) this.close(child);
  }
  typeOf(node) {
    switch (node.kind) {
      case "literal":
        return typeOfValue(node.value);
      case "identifier":
        return this.typeOfIdentifier(node);
      case "select":
        return this.typeOfSelect(node);
      case "call":
        return this.typeOfCall(node);
      case "list":
        return this.typeOfList(node);
      case "map":
        return this.typeOfMap(node);
      case "struct":
        return this.typeOfStruct(node);
      case "fold":
        return this.typeOfFold(node);
      case "broken":
        return types2.error;
    }
  }
  report(message, { position }) {
    this.mistakes.push({ message, position });
    return types2.error;
  }
  undeclared(name2, node) {
    return this.report(`undeclared reference to '${name2}' (in container '')`, node);
  }
  find(written) {
    const name2 = written.startsWith(".") ? written.slice(1) : written;
    for (let scope = this.scope; scope !== void 0; scope = scope.outer) {
      const found2 = scope.names.get(name2);
      if (found2 !== void 0) return found2;
    }
    const named2 = this.language.types.get(name2);
    if (named2 !== void 0) return typeOfType(named2);
    if (protobufNames.test(name2)) throw ofProtocolBuffers(name2);
    return void 0;
  }
  typeOfIdentifier(node) {
    return this.find(node.name) ?? this.undeclared(node.name, node);
  }
  typeOfSelect(node) {
    const name2 = dottedName(node);
    const named2 = name2 && this.find(name2);
    if (name2 !== void 0 && named2) {
      node.qualified = name2;
      return named2;
    }
    const field2 = this.typeOfField(node, node.operand, node.field, false);
    return node.isTest ? types2.bool : this.unification.resolve(field2);
  }
  typeOfField(node, operand, field2, makesOptional) {
    const of = this.unification.resolve(this.check(operand));
    const content = withoutOptional(of);
    const type2 = this.fieldOf(content, field2, node);
    return makesOptional || isOptional(of) ? optionalOf(type2) : type2;
  }
  fieldOf(of, field2, node) {
    switch (of.kind) {
      case "map":
        return of.parameters[1];
      case "object":
        if (of.fields === void 0) {
          return this.report(`unexpected failed resolution of '${of.name}'`, node);
        }
        return this.language.fieldOf(of.fields, field2) ?? this.report(`undefined field '${field2}'`, node);
      case "parameter":
        this.unification.isAssignable(types2.dyn, of);
        return types2.dyn;
      default:
        if (!isDynamic(of) && of.kind !== "error") {
          this.report(`type '${typeText(of)}' does not support field selection`, node);
        }
        return types2.dyn;
    }
  }
  typeOfCall(node) {
    if (node.name === "_?._") return this.typeOfOptionalSelect(node);
    const { target } = node;
    const args = node.args.map((arg) => this.check(arg));
    if (target === void 0) return this.typeOfFunction(node, args);
    const prefix = dottedName(target);
    const namespaced = prefix && this.language.functions.find(`${prefix}.${node.name}`);
    if (namespaced) {
      node.target = void 0;
      return this.resolve(node, namespaced, args);
    }
    const receiver = this.check(target);
    return this.typeOfFunction(node, [receiver, ...args]);
  }
  typeOfOptionalSelect(node) {
    const [operand, field2] = node.args;
    field2.type = types2.string;
    const type2 = this.typeOfField(node, operand, field2.value, true);
    node.overloads = this.language.functions.find(node.name)?.overloads ?? [];
    return this.unification.resolve(type2);
  }
  typeOfFunction(node, args) {
    const found2 = this.language.functions.find(node.name);
    if (found2 === void 0) return this.undeclared(node.name, node);
    return this.resolve(node, found2, args);
  }
  resolve(node, found2, args) {
    node.name = found2.name;
    const isMember = node.target !== void 0;
    if (found2.name === "_&&_" || found2.name === "_||_") {
      return this.typeOfConnective(node, found2, args);
    }
    const fitting2 = [];
    let result;
    for (const overload of found2.overloads) {
      if (overload.isMember !== isMember || this.isHidden(overload)) continue;
      const instance = this.instantiate(overload);
      if (!this.unification.areAssignable(args, instance.parameters)) continue;
      fitting2.push(overload);
      const type2 = this.unification.resolve(instance.result);
      if (result === void 0) result = type2;
      else if (!isDynamic(result) && !sameType(type2, result)) result = types2.dyn;
    }
    if (result === void 0) return this.noMatch(node, args);
    node.overloads = fitting2;
    return result;
  }
  isHidden({ id }) {
    return this.hidesMixedComparisons && mixedComparison.test(id);
  }
  /** The overload with type variables of its own. */
  instantiate({ parameters, result, variables }) {
    if (variables.length === 0) return { parameters, result };
    const fresh = new Map(variables.map((name2) => [name2, this.unification.newVariable()]));
    const replace2 = (type2) => {
      if (type2.kind === "parameter") return fresh.get(type2.name) ?? type2;
      if (type2.parameters.length === 0) return type2;
      return { ...type2, parameters: type2.parameters.map(replace2) };
    };
    return { parameters: parameters.map(replace2), result: replace2(result) };
  }
  typeOfConnective(node, { overloads }, args) {
    let type2 = types2.bool;
    for (const [index, arg] of args.entries()) {
      if (this.unification.isAssignable(arg, types2.bool)) continue;
      type2 = this.mismatch(node.args[index], types2.bool, arg);
    }
    node.overloads = overloads;
    return type2;
  }
  noMatch(node, args) {
    const texts = args.map((arg) => typeText(this.unification.resolve(arg, true)));
    const applied = node.target === void 0 ? `(${texts.join(", ")})` : `${texts[0]}.(${texts.slice(1).join(", ")})`;
    return this.report(
      `found no matching overload for '${node.name}' applied to '${applied}'`,
      node
    );
  }
  mismatch(node, expected2, found2) {
    return this.report(
      `expected type '${typeText(expected2)}' but found '${typeText(found2)}'`,
      node
    );
  }
  typeOfList({ items, optional }) {
    let joined;
    for (const [index, item] of items.entries()) {
      const type2 = this.check(item);
      joined = this.join(joined, optional.has(index) ? this.contentOf(item, type2) : type2);
    }
    return listOfType(joined ?? this.unification.newVariable());
  }
  typeOfMap({ entries }) {
    let joined;
    for (const { key: key3, value: value2, isOptional: isOptionalEntry } of entries) {
      const keyType = this.join(joined?.key, this.check(key3));
      const found2 = this.check(value2);
      const type2 = isOptionalEntry ? this.contentOf(value2, found2) : found2;
      joined = { key: keyType, value: this.join(joined?.value, type2) };
    }
    const { key: key2, value } = joined ?? {
      key: this.unification.newVariable(),
      value: this.unification.newVariable()
    };
    return mapOfType(key2, value);
  }
  /** Of an entry such as `?x`. */
  contentOf(node, type2) {
    if (!isOptional(type2) && !isDynamic(type2)) this.mismatch(node, optionalOf(type2), type2);
    return withoutOptional(type2);
  }
  /** What a literal holds: entries of several types are of none. */
  join(before, type2) {
    if (before === void 0) return type2;
    return this.unification.isAssignable(before, type2) ? moreGeneral(before, type2) : types2.dyn;
  }
  typeOfStruct(node) {
    const { name: name2, fields } = node;
    const named2 = this.find(name2);
    if (named2 === void 0) return this.undeclared(name2, node);
    const made = named2.parameters[0]?.name ?? "";
    if (made.startsWith("google.protobuf.")) throw ofProtocolBuffers(made);
    if (named2.kind !== "type") this.report(`'${named2.name}' is not a type`, node);
    else this.report(`'${made}' is not a message type`, node);
    for (const { value } of fields) this.check(value);
    return types2.error;
  }
  typeOfFold(node) {
    this.check(node.range);
    const accumulated = this.check(node.initial);
    const outer = this.scope;
    this.enter([[node.accumulator, accumulated]]);
    const inner = this.scope;
    this.enter(this.variablesOf(node));
    this.check(node.condition);
    this.expect(node.condition, types2.bool);
    this.check(node.step);
    this.expect(node.step, accumulated);
    this.scope = inner;
    const result = this.check(node.result);
    this.scope = outer;
    return this.unification.resolve(result);
  }
  enter(names3) {
    this.scope = { names: new Map(names3), outer: this.scope };
    this.hidesMixedComparisons = false;
  }
  variablesOf({ variable, secondVariable, range }) {
    const { only, first, second: second3 } = this.entriesOf(range);
    if (secondVariable === void 0) return [[variable, only]];
    return [
      [variable, first],
      [secondVariable, second3]
    ];
  }
  /** What the variables of a fold stand for: an item or a key, or a place and what is there. */
  entriesOf(range) {
    const type2 = this.unification.resolve(range.type);
    const [first, second3] = type2.parameters;
    switch (type2.kind) {
      case "list":
        return { only: first, first: types2.int, second: first };
      case "map":
        return { only: first, first, second: second3 };
      case "dyn":
      case "error":
      case "parameter":
        this.unification.isAssignable(types2.dyn, type2);
        return { only: types2.dyn, first: types2.dyn, second: this.secondOfDyn() };
      default: {
        const words2 = "cannot be range of a comprehension (must be list, map, or dynamic)";
        const mistaken = this.report(`expression of type '${typeText(type2)}' ${words2}`, range);
        return { only: mistaken, first: mistaken, second: mistaken };
      }
    }
  }
  secondOfDyn() {
    return this.language.typesSecondOfDyn === false ? untyped : types2.dyn;
  }
  expect(node, expected2) {
    const type2 = node.type;
    if (!this.unification.isAssignable(expected2, type2)) this.mismatch(node, expected2, type2);
  }
};
function ofProtocolBuffers(name2) {
  return new NotEvaluable(`the expression uses ${name2}, a type of protocol buffers`);
}
var untyped = opaqueType("");
var mixedComparison = /^(?:less|greater)(?:_equals)?_(?:int64|uint64|double)_(?:int64|uint64|double)$/;
var protobufNames = /^google\.protobuf\.(?:Any|Struct|Value|ListValue|Empty|NullValue|(?:Bool|Bytes|Double|Float|Int32|Int64|String|UInt32|UInt64)Value|NullValue\.NULL_VALUE)$/;

// src/cel/literal-checks.ts
function checkLiterals(tree, checks) {
  const found2 = [];
  collect2(tree, false, checks.mixesDirectlyInFormats === true, found2);
  if (found2.length === 0) return [];
  const calls = found2.flatMap(({ node }) => node.kind === "call" ? [node] : []);
  const mistakes = ["duration", "timestamp", "matches"].flatMap(
    (name2) => calls.filter((call) => call.name === name2).flatMap(checkArgument)
  );
  const mixing = found2.filter(({ isFormatted }) => !isFormatted).map(({ node }) => node);
  for (const node of mixing) if (node.kind === "list") mistakes.push(...checkItems(node));
  for (const node of mixing) if (node.kind === "map") mistakes.push(...checkEntries(node));
  if (checks.checksFormats !== true) return mistakes;
  const isFragile = checks.breaksOverComputedFormats === true;
  if (isFragile && calls.some(({ name: name2, target }) => name2 === "format" && target?.kind !== "literal")) {
    throw new CompilerPanic("cel-go looks for the text of a format that is no literal");
  }
  return [...mistakes, ...calls.flatMap(checkFormat)];
}
function collect2(node, isFormatted, onlyDirectly, into) {
  const isLiteral = node.kind === "list" || node.kind === "map";
  const stays = isFormatted && (!onlyDirectly || isLiteral);
  const within4 = stays || node.kind === "call" && node.name === "format";
  for (const child of childrenOf(node)) collect2(child, within4, onlyDirectly, into);
  if (isLiteral || node.kind === "call") into.push({ node, isFormatted });
}
function checkArgument({ name: name2, args }) {
  const [argument] = args;
  if (argument?.kind !== "literal" || isConvertible(name2, argument.value)) return [];
  return [{ message: `invalid ${name2} argument`, position: argument.position }];
}
function isConvertible(name2, value) {
  if (name2 === "duration")
    return typeof value === "string" && "nanoseconds" in parseDuration(value);
  if (typeof value === "bigint") {
    return !(attempt(() => checkedTimestamp(value * 1000000000n)) instanceof EvaluationError);
  }
  if (typeof value !== "string") return false;
  if (name2 === "matches") return typeof compilePattern(value) !== "string";
  const moment = parseTimestamp(value);
  if (moment === void 0) return false;
  return !(attempt(() => checkedTimestamp(moment)) instanceof EvaluationError);
}
function checkItems({ items, optional }) {
  let first;
  for (const [index, item] of items.entries()) {
    const type2 = optional.has(index) ? contentOf(item) : typeOf(item);
    first ??= type2;
    if (!sameType(first, type2, false)) return [mismatch2(item, first, type2)];
  }
  return [];
}
function checkEntries({ entries }) {
  const [first] = entries;
  if (first === void 0) return [];
  const keyType = typeOf(first.key);
  const valueType = first.isOptional ? contentOf(first.value) : typeOf(first.value);
  return entries.flatMap(({ key: key2, value, isOptional: isOptional2 }) => {
    const type2 = isOptional2 ? contentOf(value) : typeOf(value);
    return [
      ...sameType(keyType, typeOf(key2), false) ? [] : [mismatch2(key2, keyType, typeOf(key2))],
      ...sameType(valueType, type2, false) ? [] : [mismatch2(value, valueType, type2)]
    ];
  });
}
function typeOf(node) {
  return node.type ?? types2.dyn;
}
function contentOf(node) {
  const [content] = typeOf(node).parameters;
  if (content !== void 0) return content;
  throw new CompilerPanic("cel-go looks for what an optional entry of unknown type holds");
}
function mismatch2({ position }, expected2, found2) {
  const message = `expected type '${typeText(expected2)}' but found '${typeText(found2)}'`;
  return { message, position };
}
function checkFormat(call) {
  const { name: name2, target, args } = call;
  const [list2] = args;
  if (name2 !== "format" || target?.kind !== "literal" || list2?.kind !== "list") return [];
  if (typeof target.value !== "string" || args.length !== 1) return [];
  const { items } = list2;
  let seen = 0;
  try {
    eachClause(target.value, items.length, ({ verb }, index) => {
      seen++;
      checkClause(verb, items[index]);
      return "";
    });
  } catch (error) {
    if (error instanceof UnfitItem) return [{ message: error.message, position: error.position }];
    if (!(error instanceof EvaluationError)) throw error;
    return [{ message: error.message, position: call.position }];
  }
  if (items.length <= seen) return [];
  const message = `too many arguments supplied to string.format (expected ${seen}, got ${items.length})`;
  return [{ message, position: call.position }];
}
var UnfitItem = class extends Error {
  constructor(message, position) {
    super(message);
    this.position = position;
  }
  position;
};
var fitting = {
  b: /* @__PURE__ */ new Set(["int", "uint", "bool"]),
  d: /* @__PURE__ */ new Set(["int", "uint"]),
  e: /* @__PURE__ */ new Set(["double", "string"]),
  f: /* @__PURE__ */ new Set(["double", "string"]),
  o: /* @__PURE__ */ new Set(["int", "uint"]),
  s: /* @__PURE__ */ new Set([
    "list",
    "map",
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "timestamp",
    "bytes",
    "duration",
    "type",
    "null"
  ]),
  // prettier-ignore
  x: /* @__PURE__ */ new Set(["int", "uint", "string", "bytes"]),
  X: /* @__PURE__ */ new Set(["int", "uint", "string", "bytes"])
};
function checkClause(verb, item) {
  const { kind, name: name2 } = typeOf(item);
  if (kind !== "dyn" && fitting[verb]?.has(kind) !== true) {
    const message = `error during formatting: ${clauseNeeds.get(verb) ?? ""}, was given ${name2}`;
    throw new UnfitItem(message, item.position);
  }
  if (verb === "s" && (item.kind === "list" || item.kind === "map")) {
    for (const child of childrenOf(item)) checkClause(verb, child);
  }
}

// src/cel/syntax/mistakes.ts
var nowhere = -2;
var beforeText = -1;
var maxShown = 100;
var longestShownLine = 16384;
function showMistakes(text4, mistakes) {
  const shown = mistakes.slice(0, maxShown).toSorted((a, b) => a.position - b.position).map((mistake) => showMistake(text4, mistake));
  const hidden = mistakes.length - shown.length;
  return [...shown, ...hidden > 0 ? [`${hidden} more errors were truncated`] : []].join("\n");
}
function showMistake(text4, { message, position }) {
  if (position === nowhere) return `ERROR: <input>:-1:0: ${message}`;
  if (text4 === "") return `ERROR: <input>:1:0: ${message}`;
  const lineStart = text4.lastIndexOf("\n", position - 1) + 1;
  const line = text4.slice(0, Math.max(lineStart, 0)).split("\n").length;
  const before = [...text4.slice(lineStart, Math.max(position, lineStart))];
  const column = position === beforeText ? 0 : before.length + 1;
  const place = `ERROR: <input>:${line}:${column}: ${message}`;
  const [source = ""] = text4.slice(lineStart).split("\n", 1);
  if (Buffer.byteLength(source) > longestShownLine) return place;
  const dots = before.map((character) => isWide(character) ? "\uFF0E" : ".").join("");
  const mark2 = isWide([...source][before.length]) ? "\uFF3E" : "^";
  return `${place}
 | ${source.replaceAll("	", " ")}
 | ${dots}${mark2}`;
}
function isWide(character) {
  return character !== void 0 && (character.codePointAt(0) ?? 0) > 127;
}

// src/cel/syntax/tokens.ts
var kinds2 = {
  end: 1 << 0,
  relation: 1 << 1,
  and: 1 << 2,
  or: 1 << 3,
  leftBracket: 1 << 4,
  rightBracket: 1 << 5,
  leftBrace: 1 << 6,
  rightBrace: 1 << 7,
  leftParenthesis: 1 << 8,
  rightParenthesis: 1 << 9,
  dot: 1 << 10,
  comma: 1 << 11,
  minus: 1 << 12,
  not: 1 << 13,
  question: 1 << 14,
  colon: 1 << 15,
  plus: 1 << 16,
  times: 1 << 17,
  boolean: 1 << 18,
  null: 1 << 19,
  double: 1 << 20,
  int: 1 << 21,
  uint: 1 << 22,
  string: 1 << 23,
  bytes: 1 << 24,
  identifier: 1 << 25,
  quotedIdentifier: 1 << 26
};
var orAfter = 1 << 30;
var signedNumber = kinds2.int | kinds2.double;
var literal3 = signedNumber | kinds2.uint | kinds2.string | kinds2.bytes | kinds2.boolean | kinds2.null;
var firstOfPrimary = literal3 | kinds2.leftBracket | kinds2.leftBrace | kinds2.leftParenthesis | kinds2.dot | kinds2.minus | kinds2.identifier;
var firstOfExpression = firstOfPrimary | kinds2.not;
var binaryOperator = kinds2.relation | kinds2.and | kinds2.or | kinds2.plus | kinds2.minus | kinds2.times;
var names = [
  [kinds2.end, "<EOF>"],
  [kinds2.relation, "'==', '!=', 'in', '<', '<=', '>=', '>'"],
  [kinds2.and, "'&&'"],
  [kinds2.or, "'||'"],
  [kinds2.leftBracket, "'['"],
  [kinds2.rightBracket, "']'"],
  [kinds2.leftBrace, "'{'"],
  [kinds2.rightBrace, "'}'"],
  [kinds2.leftParenthesis, "'('"],
  [kinds2.rightParenthesis, "')'"],
  [kinds2.dot, "'.'"],
  [kinds2.comma, "','"],
  [kinds2.minus, "'-'"],
  [kinds2.not, "'!'"],
  [kinds2.question, "'?'"],
  [kinds2.colon, "':'"],
  [kinds2.plus, "'+'"],
  [kinds2.times, "'*', '/', '%'"],
  [kinds2.boolean, "'true', 'false'"],
  [kinds2.null, "'null'"],
  [kinds2.double, "NUM_FLOAT"],
  [kinds2.int, "NUM_INT"],
  [kinds2.uint, "NUM_UINT"],
  [kinds2.string, "STRING"],
  [kinds2.bytes, "BYTES"],
  [kinds2.identifier, "IDENTIFIER"],
  [kinds2.quotedIdentifier, "ESC_IDENTIFIER"]
];
function expectation(set2) {
  const listed = names.filter(([kind]) => (set2 & kind) !== 0).map(([, name2]) => name2);
  return listed.length === 1 ? listed[0] : `{${listed.join(", ")}}`;
}

// src/cel/syntax/lexer.ts
var space2 = /[\t\n\f\r ]+|\/\/[^\n]*/y;
var name = /[A-Za-z_][A-Za-z0-9_]*/y;
var double = /(?:\d+\.\d+|\d+(?=[eE][+-]?\d)|\.\d+)(?:[eE][+-]?\d+)?/y;
var integer2 = /(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
var quotedName = /`[A-Za-z0-9_./ -]+`/y;
var escape2 = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
var strings = new Map(
  ['"', "'"].map((quote3) => [
    quote3,
    {
      plain: new RegExp(`${quote3}(?:${escape2}|[^\\\\${quote3}\\n\\r])*${quote3}`, "y"),
      long: new RegExp(`${quote3}{3}(?:${escape2}|[^\\\\])*?${quote3}{3}`, "y"),
      raw: new RegExp(`${quote3}[^${quote3}\\n\\r]*${quote3}`, "y"),
      rawLong: new RegExp(`${quote3}{3}[^]*?${quote3}{3}`, "y")
    }
  ])
);
var brokenString = new Map(
  ['"', "'"].map((quote3) => [
    quote3,
    new RegExp(
      `${quote3}(?:${escape2}|[^\\\\${quote3}\\n\\r])*(?:\\\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?)?[^]?`,
      "uy"
    )
  ])
);
var brokenName = /`[A-Za-z0-9_./ -]*[^]?/uy;
var brokenOther = /[=&|][^]?|[^]/uy;
var words = /* @__PURE__ */ new Map([
  ["in", kinds2.relation],
  ["true", kinds2.boolean],
  ["false", kinds2.boolean],
  ["null", kinds2.null]
]);
var signs = /* @__PURE__ */ new Map([
  ["(", kinds2.leftParenthesis],
  [")", kinds2.rightParenthesis],
  ["[", kinds2.leftBracket],
  ["]", kinds2.rightBracket],
  ["{", kinds2.leftBrace],
  ["}", kinds2.rightBrace],
  [".", kinds2.dot],
  [",", kinds2.comma],
  ["-", kinds2.minus],
  ["+", kinds2.plus],
  ["*", kinds2.times],
  ["/", kinds2.times],
  ["%", kinds2.times],
  ["?", kinds2.question],
  [":", kinds2.colon],
  ["!", kinds2.not],
  ["<", kinds2.relation],
  [">", kinds2.relation]
]);
var doubleSigns = /* @__PURE__ */ new Map([
  ["==", kinds2.relation],
  ["!=", kinds2.relation],
  ["<=", kinds2.relation],
  [">=", kinds2.relation],
  ["&&", kinds2.and],
  ["||", kinds2.or]
]);
var Lexer = class {
  constructor(text4, onMistake) {
    this.text = text4;
    this.onMistake = onMistake;
  }
  text;
  onMistake;
  position = 0;
  /** What was passed over because it is no token. */
  skipped = [];
  /** The next token; past the end always the end. */
  next() {
    for (; ; ) {
      while (this.take(space2) > 0) ;
      const start = this.position;
      if (start >= this.text.length) return { kind: kinds2.end, start, end: start };
      const kind = this.read(this.text[start]);
      if (kind !== void 0) return { kind, start, end: this.position };
      this.skip();
    }
  }
  /** How many units match here; they are taken. */
  take(pattern) {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return 0;
    const length = pattern.lastIndex - this.position;
    this.position = pattern.lastIndex;
    return length;
  }
  read(first) {
    if (isLetter(first)) return this.readWord();
    if (first >= "0" && first <= "9") return this.readNumber();
    if (first === '"' || first === "'") return this.readString(first, 0, false);
    if (first === "." && this.take(double) > 0) return kinds2.double;
    if (first === "`") return this.take(quotedName) > 0 ? kinds2.quotedIdentifier : void 0;
    const pair = doubleSigns.get(this.text.slice(this.position, this.position + 2));
    const kind = pair ?? signs.get(first);
    if (kind !== void 0) this.position += pair === void 0 ? 1 : 2;
    return kind;
  }
  readWord() {
    const start = this.position;
    this.take(name);
    const word = this.text.slice(start, this.position);
    const quote3 = this.text[this.position];
    if ((quote3 === '"' || quote3 === "'") && /^(?:[bB]|[bB]?[rR])$/.test(word)) {
      const after = this.position;
      this.position = start;
      const kind = this.readString(quote3, word.length, /[rR]$/.test(word));
      if (kind !== void 0)
        return kind === kinds2.string && /^[bB]/.test(word) ? kinds2.bytes : kind;
      this.position = after;
    }
    return words.get(word) ?? kinds2.identifier;
  }
  readNumber() {
    if (this.take(double) > 0) return kinds2.double;
    this.take(integer2);
    return /[uU]/.test(this.text[this.position - 1]) ? kinds2.uint : kinds2.int;
  }
  readString(quote3, prefix, isRaw) {
    const start = this.position;
    const forms = strings.get(quote3);
    this.position += prefix;
    const taken = forms !== void 0 && (this.take(isRaw ? forms.rawLong : forms.long) > 0 || this.take(isRaw ? forms.raw : forms.plain) > 0);
    if (taken) return kinds2.string;
    this.position = start;
    return void 0;
  }
  skip() {
    const start = this.position;
    const first = this.text[start];
    this.take(brokenString.get(first) ?? (first === "`" ? brokenName : brokenOther));
    this.skipped.push({ start, end: this.position });
    const found2 = this.text.slice(start, this.position);
    this.onMistake(`token recognition error at: '${found2}'`, start);
  }
};
function isLetter(character) {
  return /[A-Za-z_]/.test(character);
}

// src/cel/syntax/literal-text.ts
var NoSuchValue = class extends Error {
};
function intOf(text4) {
  const isNegative2 = text4.startsWith("-");
  const size = sizeOf3(isNegative2 ? text4.slice(1) : text4);
  const value = size !== void 0 && isNegative2 ? -size : size;
  if (value === void 0 || value > maxInt || value < minInt) {
    throw new NoSuchValue("invalid int literal");
  }
  return value;
}
function uintOf(text4) {
  const value = sizeOf3(text4.slice(0, -1));
  if (value === void 0 || value > maxUint) throw new NoSuchValue("invalid uint literal");
  return new Uint(value);
}
function sizeOf3(digits) {
  return digits.startsWith("0x") ? BigInt(digits) : decimalOf(digits);
}
function doubleOf2(text4) {
  const value = Number(text4);
  if (!Number.isFinite(value)) throw new NoSuchValue("invalid double literal");
  return value;
}
var simpleEscapes = /* @__PURE__ */ new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11]
]);
function stringOf(text4) {
  return unquoted(text4, (escape3) => {
    const code = codeOf(escape3);
    if (code > 1114111 || code >= 55296 && code <= 57343) {
      throw new NoSuchValue("invalid unicode code point");
    }
    return String.fromCodePoint(code);
  });
}
function bytesOf2(text4) {
  const bytes = [];
  const plain4 = unquoted(text4.slice(1), (escape3) => {
    if (/^\\[uU]/.test(escape3)) throw new NoSuchValue("unable to unescape string");
    bytes.push(codeOf(escape3));
    return "\uD800";
  });
  let next = 0;
  return new Uint8Array(
    Buffer.concat(
      plain4.split("\uD800").flatMap((part2, index) => [
        ...index === 0 ? [] : [Buffer.from([bytes[next++]])],
        Buffer.from(part2)
      ])
    )
  );
}
function unquoted(text4, unescape2) {
  const isRaw = /^[rR]/.test(text4);
  const quoted2 = (isRaw ? text4.slice(1) : text4).replaceAll(/\r\n?/g, "\n");
  const width = /^(?:"""|''')/.test(quoted2) && quoted2.length >= 6 ? 3 : 1;
  const inner = quoted2.slice(width, -width);
  return isRaw ? inner : inner.replaceAll(/\\(?:[xX].{2}|u.{4}|U.{8}|[0-3]..|[^])/g, unescape2);
}
function codeOf(escape3) {
  const first = escape3[1];
  if (/[xXuU]/.test(first)) return Number.parseInt(escape3.slice(2), 16);
  if (/[0-3]/.test(first)) return Number.parseInt(escape3.slice(1), 8);
  return simpleEscapes.get(first) ?? first.charCodeAt(0);
}

// src/cel/syntax/recovery.ts
var ParseFailure = class extends Error {
  constructor(state2) {
    super();
    this.state = state2;
  }
  state;
};
var UnexpectedToken = class extends ParseFailure {
  constructor(state2, expected2) {
    super(state2);
    this.expected = expected2;
  }
  expected;
};
var NoViableAlternative = class extends ParseFailure {
  constructor(state2, from, offending) {
    super(state2);
    this.from = from;
    this.offending = offending;
  }
  from;
  offending;
};
var StopParsing = class extends Error {
};
var maxReports = 100;
var maxAttempts = 30;
var maxSkipped = 256;
var Recovery = class {
  constructor(source) {
    this.source = source;
  }
  source;
  mistakes = [];
  /** What may follow each rule that is open. */
  follows = [];
  /** Until a token fits, nothing more is said. */
  isMending = false;
  lastIndex = -1;
  lastStates = /* @__PURE__ */ new Set();
  attempts = 0;
  push(follow2) {
    this.follows.push(follow2);
  }
  pop() {
    this.follows.pop();
  }
  /** A token fitted. */
  matched() {
    this.isMending = false;
    this.lastIndex = -1;
    if (this.lastStates.size > 0) this.lastStates.clear();
  }
  report(message, position) {
    const isLast = this.mistakes.length >= maxReports;
    const words2 = isLast ? `More than ${maxReports} syntax errors` : message;
    this.mistakes.push({ message: `Syntax error: ${words2}`, position });
    if (isLast) throw new StopParsing();
  }
  /** Before a choice or an option that none of the tokens begins: drops one that is too much. */
  sync(expected2, state2) {
    if (this.isMending) return;
    if (this.dropOne(expected2)) return;
    throw new UnexpectedToken(state2, expected2);
  }
  /** Before the next round of a loop: skips what neither continues it nor follows. */
  syncLoop(expected2) {
    if (this.isMending) return;
    this.reportUnwanted(expected2);
    this.skipTo(expected2 | this.allFollows());
  }
  /** @param next what may follow the token in its rule @throws UnexpectedToken */
  inline(kind, state2, next) {
    this.countAttempt();
    if (this.dropOne(kind)) {
      const token2 = this.source.at(0);
      this.source.take();
      return token2;
    }
    const found2 = this.source.at(0);
    if ((found2.kind & this.inContext(next)) !== 0) {
      if (!this.isMending) {
        this.isMending = true;
        const words2 = `missing ${expectation(kind)} at ${this.quoted(found2)}`;
        this.report(words2, found2.start);
      }
      return { kind, start: found2.start, end: found2.start };
    }
    throw new UnexpectedToken(state2, kind);
  }
  /** Says what is wrong and skips to what may follow the open rules. @throws what is no ParseFailure */
  recover(failure) {
    if (!(failure instanceof ParseFailure)) throw failure;
    this.reportFailure(failure);
    this.countAttempt();
    let budget = maxSkipped;
    const skip = () => {
      if (budget-- <= 0) {
        throw new StopParsing(`error recovery token lookahead limit exceeded: ${maxSkipped}`);
      }
      if (this.source.at(0).kind !== kinds2.end) this.source.take();
    };
    if (this.lastIndex === this.source.index() && this.lastStates.has(failure.state)) skip();
    this.lastIndex = this.source.index();
    this.lastStates.add(failure.state);
    const set2 = this.allFollows();
    while ((this.source.at(0).kind & (set2 | kinds2.end)) === 0) skip();
  }
  reportFailure(failure) {
    if (this.isMending) return;
    this.isMending = true;
    if (failure instanceof NoViableAlternative) {
      const { from, offending } = failure;
      const input = from.kind === kinds2.end ? "<EOF>" : this.source.textBetween(from, offending);
      const word = /^.(true|false|null)$/s.exec(input)?.[1];
      this.report(
        word === void 0 ? `no viable alternative at input '${escaped3(input)}'` : `mismatched input '${word}' expecting IDENTIFIER`,
        offending.start
      );
    } else if (failure instanceof UnexpectedToken) {
      const found2 = this.source.at(0);
      const words2 = `mismatched input ${this.quoted(found2)} expecting ${expectation(failure.expected)}`;
      this.report(words2, found2.start);
    }
  }
  reportUnwanted(expected2) {
    if (this.isMending) return;
    this.isMending = true;
    const found2 = this.source.at(0);
    this.report(
      `extraneous input ${this.quoted(found2)} expecting ${expectation(expected2)}`,
      found2.start
    );
  }
  /** Whether the token after this one is expected: then this one is too much. */
  dropOne(expected2) {
    if (this.source.at(0).kind === kinds2.end) return false;
    if ((this.source.at(1).kind & expected2) === 0) return false;
    this.reportUnwanted(expected2);
    this.source.take();
    this.matched();
    return true;
  }
  skipTo(set2) {
    while ((this.source.at(0).kind & (set2 | kinds2.end)) === 0) this.source.take();
  }
  countAttempt() {
    if (this.attempts++ < maxAttempts) return;
    this.report(`error recovery attempt limit exceeded: ${maxAttempts}`, this.source.at(0).start);
    throw new StopParsing();
  }
  allFollows() {
    let set2 = 0;
    for (const follow2 of this.follows) set2 |= follow2;
    return set2 & ~orAfter;
  }
  inContext(next) {
    let set2 = next;
    for (let index = this.follows.length - 1; index >= 0 && (set2 & orAfter) !== 0; index--) {
      set2 = set2 & ~orAfter | this.follows[index];
    }
    return set2;
  }
  quoted(token2) {
    return `'${escaped3(this.source.textOf(token2))}'`;
  }
};
function escaped3(text4) {
  return text4.replaceAll("	", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

// src/cel/syntax/parser.ts
var longestText = 1e5;
var deepest = 250;
function parse2(text4, syntax) {
  const size = text4.length > longestText ? [...text4].length : 0;
  if (size > longestText) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${longestText}`;
    return { tree: void 0, mistakes: [{ message, position: nowhere }] };
  }
  return new Parser(text4, syntax).parse();
}
var reserved = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " "
  )
);
var afterOperand = binaryOperator | orAfter;
var afterCondition = kinds2.question | orAfter;
var afterMember = kinds2.dot | kinds2.leftBracket | orAfter;
var sum = kinds2.plus | kinds2.minus;
var names2 = kinds2.identifier | kinds2.quotedIdentifier;
var Parser = class {
  constructor(text4, syntax) {
    this.text = text4;
    this.syntax = syntax;
    this.lexer = new Lexer(text4, (message, position) => this.recovery.report(message, position));
    this.recovery = new Recovery({
      at: (offset) => this.at(offset),
      take: () => {
        this.index++;
      },
      index: () => this.index,
      textOf: (token2) => this.textOf(token2),
      textBetween: (from, to) => this.textBetween(from, to)
    });
  }
  text;
  syntax;
  lexer;
  tokens = [];
  index = 0;
  recovery;
  /** What is wrong with what could be parsed: cel-go looks only when it has parsed all. */
  faults = [];
  /** How often each of the rules that nest is entered. */
  depth = { expression: 0, relation: 0, calculation: 0 };
  /** How deep the nodes nest of the expression that was read last. */
  height = 0;
  parse() {
    let tree;
    try {
      tree = this.start();
      if (this.height > deepest) {
        this.faults.push({ message: "max recursion depth exceeded", position: nowhere });
      }
    } catch (error) {
      if (!(error instanceof StopParsing)) throw error;
      this.faults.length = 0;
      if (error.message !== "") this.faults.push({ message: error.message, position: nowhere });
    }
    const mistakes = [...this.recovery.mistakes, ...this.faults];
    return { tree: mistakes.length === 0 ? tree : void 0, mistakes };
  }
  // Tokens
  at(offset) {
    while (this.tokens.length <= this.index + offset) this.tokens.push(this.lexer.next());
    return this.tokens[this.index + offset];
  }
  is(set2, offset = 0) {
    return (this.at(offset).kind & set2) !== 0;
  }
  take() {
    const token2 = this.at(0);
    this.recovery.matched();
    if (token2.kind !== kinds2.end) this.index++;
    return token2;
  }
  textOf({ start, end: end2, kind }) {
    return kind === kinds2.end ? "<EOF>" : this.text.slice(start, end2);
  }
  /** Without what is no token. */
  textBetween(from, to) {
    let text4 = "";
    let position = from.start;
    for (const { start, end: end2 } of this.lexer.skipped) {
      if (start < from.start || end2 > to.end) continue;
      text4 += this.text.slice(position, start);
      position = end2;
    }
    return text4 + this.text.slice(position, to.end);
  }
  /** Takes the token, or mends its absence. @param next what may follow it in its rule */
  match(kind, state2, next) {
    return this.is(kind) ? this.take() : this.recovery.inline(kind, state2, next);
  }
  sync(set2, state2) {
    if (!this.is(set2)) this.recovery.sync(set2, state2);
  }
  noViable(state2, offset) {
    throw new NoViableAlternative(state2, this.at(0), this.at(offset));
  }
  // Rules
  start() {
    const tree = this.expression(kinds2.end);
    try {
      this.match(kinds2.end, 35, 0);
    } catch (error) {
      this.recovery.recover(error);
    }
    return tree;
  }
  /** @param follow what may follow where the rule is used */
  expression(follow2) {
    this.enter("expression");
    this.recovery.push(follow2);
    const tree = this.conditional();
    this.recovery.pop();
    this.depth.expression--;
    return tree;
  }
  conditional() {
    const condition = this.disjunction(afterCondition);
    if (!this.is(kinds2.question)) return condition;
    let height = this.height;
    const { start } = this.take();
    const yes2 = this.disjunction(kinds2.colon);
    height = Math.max(height, this.height);
    let no2 = { kind: "broken", position: beforeText };
    try {
      this.match(kinds2.colon, 40, firstOfExpression);
      no2 = this.expression(orAfter);
      height = Math.max(height, this.height);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.height = height + 1;
    return { kind: "call", position: start, name: "_?_:_", args: [condition, yes2, no2] };
  }
  disjunction(follow2) {
    this.recovery.push(follow2);
    this.recovery.push(afterOperand);
    const tree = this.connective(
      kinds2.or,
      "_||_",
      () => this.connective(kinds2.and, "_&&_", () => this.relation(0))
    );
    this.recovery.pop();
    this.recovery.pop();
    return tree;
  }
  /** A chain of `&&` or `||` is a balanced tree. */
  connective(kind, name2, operand) {
    const first = operand();
    if (!this.is(kind)) return first;
    const operands = [first];
    const positions = [];
    let { height } = this;
    while (this.is(kind)) {
      positions.push(this.take().start);
      operands.push(operand());
      height = Math.max(height, this.height);
    }
    this.height = height;
    const balanced = (low, high) => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? operands[middle] : balanced(low, middle - 1);
      const right = middle === high ? operands[middle + 1] : balanced(middle + 1, high);
      return { kind: "call", position: positions[middle], name: name2, args: [left, right] };
    };
    return balanced(0, positions.length - 1);
  }
  relation(precedence) {
    this.enter("relation");
    let tree = this.calculation(0);
    while (precedence <= 1 && this.is(kinds2.relation)) {
      tree = this.binary(tree, () => this.relation(2));
    }
    this.depth.relation--;
    return tree;
  }
  calculation(precedence) {
    this.enter("calculation");
    let tree = this.unary();
    for (; ; ) {
      if (precedence <= 2 && this.is(kinds2.times)) {
        tree = this.binary(tree, () => this.calculation(3));
      } else if (precedence <= 1 && this.is(sum)) {
        tree = this.binary(tree, () => this.calculation(2));
      } else break;
    }
    this.depth.calculation--;
    return tree;
  }
  binary(left, operand) {
    const { height } = this;
    const operator2 = this.take();
    const right = operand();
    this.height = Math.max(height, this.height) + 1;
    const sign = this.textOf(operator2);
    const name2 = sign === "in" ? "@in" : `_${sign}_`;
    return { kind: "call", position: operator2.start, name: name2, args: [left, right] };
  }
  unary() {
    const { start } = this.at(0);
    try {
      this.sync(firstOfExpression, 99);
      if (this.is(kinds2.not)) return this.negation("!_", kinds2.not, firstOfExpression, 90);
      if (!this.is(kinds2.minus) || this.is(signedNumber, 1)) {
        return this.is(firstOfPrimary) ? this.member() : this.noViable(99, 0);
      }
      if (!this.is(firstOfPrimary, 1)) this.noViable(99, 1);
      return this.negation("-_", kinds2.minus, firstOfPrimary, 96);
    } catch (error) {
      this.recovery.recover(error);
      this.height = 0;
      return error instanceof HalfNegation ? { kind: "broken", position: beforeText } : { kind: "literal", position: start, value: "<<error>>" };
    }
  }
  /** Two of the same sign are none. */
  negation(name2, kind, first, state2) {
    const { start } = this.at(0);
    let count = 0;
    do {
      this.take();
      count++;
      if (!this.is(first)) this.recovery.syncLoop(first);
      if (kind !== kinds2.minus) continue;
      if (this.is(kinds2.minus) && !this.is(firstOfPrimary, 1)) {
        throw new HalfNegation(state2, this.at(0), this.at(1));
      }
      if (!this.is(first)) throw new HalfNegation(state2, this.at(0), this.at(0));
    } while (this.is(kind));
    const operand = this.member();
    if (count % 2 === 0) return operand;
    return { kind: "call", position: start, name: name2, args: [operand] };
  }
  member() {
    this.recovery.push(orAfter);
    this.recovery.push(afterMember);
    let tree = this.primary();
    this.recovery.pop();
    const state2 = { failed: false };
    while (!state2.failed && this.is(kinds2.dot | kinds2.leftBracket)) {
      tree = this.access(tree, state2);
    }
    this.recovery.pop();
    return tree;
  }
  access(operand, state2) {
    const fail3 = (error) => {
      this.recovery.recover(error);
      state2.failed = true;
    };
    if (this.is(kinds2.leftBracket)) return this.indexed(operand, fail3);
    if (this.is(kinds2.identifier, 1) && this.is(kinds2.leftParenthesis, 2)) {
      return this.memberCall(operand, fail3);
    }
    if (this.is(names2 | kinds2.question, 1)) return this.selection(operand);
    fail3(new NoViableAlternative(126, this.at(0), this.at(1)));
    return operand;
  }
  indexed(operand, fail3) {
    let { height } = this;
    const { start: position } = this.take();
    let index = { kind: "broken", position: beforeText };
    let isOptional2 = false;
    try {
      this.sync(firstOfExpression | kinds2.question, 121);
      isOptional2 = this.takeQuestion();
      index = this.expression(kinds2.rightBracket);
      height = Math.max(height, this.height);
      this.match(kinds2.rightBracket, 124, afterMember);
    } catch (error) {
      fail3(error);
    }
    this.height = height + 1;
    const args = [operand, index];
    if (!isOptional2) return { kind: "call", position, name: "_[_]", args };
    if (!this.syntax.hasOptionals) return this.fault("unsupported syntax '[?'", position);
    return { kind: "call", position, name: "_[?_]", args };
  }
  memberCall(target, fail3) {
    const height = { value: this.height };
    this.take();
    const name2 = this.textOf(this.take());
    const { start } = this.take();
    const args = this.args(height, 115, 117, afterMember, fail3);
    this.height = height.value + 1;
    return this.call({ kind: "call", position: start, name: name2, target, args });
  }
  selection(operand) {
    const { height } = this;
    const { start: position } = this.take();
    const isOptional2 = this.takeQuestion();
    const field2 = this.fieldName(afterMember);
    if (typeof field2.name !== "string") this.fault(field2.name.fault, field2.position);
    const name2 = typeof field2.name === "string" ? field2.name : "";
    this.height = height + 1;
    if (!isOptional2) return { kind: "select", position, operand, field: name2, isTest: false };
    if (!this.syntax.hasOptionals) return this.fault("unsupported syntax '.?'", position);
    const text4 = { kind: "literal", position: field2.position, value: name2 };
    return { kind: "call", position, name: "_?._", args: [operand, text4] };
  }
  takeQuestion() {
    const isThere = this.is(kinds2.question);
    if (isThere) this.take();
    return isThere;
  }
  fieldName(follow2) {
    const { start: position } = this.at(0);
    this.recovery.push(follow2);
    let name2 = { fault: "unsupported ident kind" };
    try {
      this.sync(names2, 235);
      if (this.is(kinds2.identifier)) name2 = this.textOf(this.take());
      else if (this.is(kinds2.quotedIdentifier)) {
        this.take();
        name2 = { fault: "unsupported syntax: '`'" };
      } else this.noViable(235, 0);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.recovery.pop();
    return { position, name: name2 };
  }
  primary() {
    const { start } = this.at(0);
    this.height = 0;
    try {
      this.sync(firstOfPrimary, 184);
      const { kind } = this.at(0);
      if (kind === kinds2.leftParenthesis) return this.nested();
      if (kind === kinds2.leftBracket) return this.list();
      if (kind === kinds2.leftBrace) return this.map();
      if (kind === kinds2.dot && !this.is(kinds2.identifier, 1)) this.noViable(184, 1);
      if ((kind & (kinds2.dot | kinds2.identifier)) !== 0) return this.named();
      if ((kind & (literal3 | kinds2.minus)) !== 0) return this.literal(start);
      return this.noViable(184, 0);
    } catch (error) {
      this.recovery.recover(error);
      return { kind: "broken", position: beforeText };
    }
  }
  nested() {
    this.take();
    const tree = this.expression(kinds2.rightParenthesis);
    this.finish(kinds2.rightParenthesis, 146);
    return tree;
  }
  /** Mends in the rule `primary`, whose value is known by now. */
  finish(kind, state2) {
    try {
      this.match(kind, state2, orAfter);
    } catch (error) {
      this.recovery.recover(error);
    }
  }
  named() {
    const { start } = this.at(0);
    const isRooted = this.is(kinds2.dot);
    const first = isRooted ? 1 : 0;
    let last = first;
    while (this.is(kinds2.dot, last + 1) && this.is(kinds2.identifier, last + 2)) last += 2;
    if (this.is(kinds2.leftBrace, last + 1)) return this.struct(isRooted);
    if (isRooted) this.take();
    const token2 = this.take();
    const word = this.textOf(token2);
    const name2 = isRooted ? `.${word}` : word;
    if (this.is(kinds2.leftParenthesis)) {
      const { start: position } = this.take();
      const height = { value: 0 };
      const faults = this.faults.length;
      const args = this.args(height, 141, 143, orAfter, (error) => this.recovery.recover(error));
      this.height = height.value;
      if (reserved.has(word)) {
        this.faults.length = faults;
        return this.fault(`reserved identifier: ${word}`, start);
      }
      return this.call({ kind: "call", position, name: name2, args });
    }
    if (reserved.has(word)) return this.fault(`reserved identifier: ${word}`, start);
    return { kind: "identifier", position: token2.start, name: name2 };
  }
  /** What stands between the parentheses of a call, and the last one. */
  args(height, first, last, next, fail3) {
    const args = [];
    try {
      this.sync(firstOfExpression | kinds2.rightParenthesis, first);
      if (this.is(firstOfExpression)) {
        this.recovery.push(kinds2.rightParenthesis);
        do {
          if (args.length > 0) this.take();
          args.push(this.expression(kinds2.comma | orAfter));
          height.value = Math.max(height.value, this.height);
        } while (this.is(kinds2.comma));
        this.recovery.pop();
      }
      this.match(kinds2.rightParenthesis, last, next);
    } catch (error) {
      fail3(error);
    }
    return args;
  }
  list() {
    const { start: position } = this.take();
    const items = [];
    const optional = /* @__PURE__ */ new Set();
    let height = 0;
    try {
      const end2 = kinds2.comma | kinds2.rightBracket;
      this.sync(firstOfExpression | kinds2.question | end2, 150);
      if (this.is(firstOfExpression | kinds2.question)) {
        this.recovery.push(end2);
        do {
          if (items.length > 0) this.take();
          const { tree, questionAt } = this.optionalExpression(kinds2.comma | orAfter);
          if (questionAt !== void 0) {
            if (this.syntax.hasOptionals) optional.add(items.length);
            else this.fault("unsupported syntax '?'", questionAt);
          }
          items.push(tree);
          height = Math.max(height, this.height);
        } while (this.is(kinds2.comma) && this.is(firstOfExpression | kinds2.question, 1));
        this.recovery.pop();
      }
      this.sync(end2, 153);
      if (this.is(kinds2.comma)) this.take();
      this.match(kinds2.rightBracket, 155, orAfter);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.height = height;
    return { kind: "list", position, items, optional };
  }
  optionalExpression(follow2) {
    this.recovery.push(follow2);
    let tree = { kind: "broken", position: beforeText };
    let questionAt;
    this.height = 0;
    try {
      this.sync(firstOfExpression | kinds2.question, 238);
      if (this.is(kinds2.question)) questionAt = this.take().start;
      tree = this.expression(orAfter);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.recovery.pop();
    return { tree, questionAt };
  }
  map() {
    const { start: position } = this.take();
    const entries = [];
    const height = { value: 0 };
    try {
      const end2 = kinds2.comma | kinds2.rightBrace;
      this.sync(firstOfExpression | kinds2.question | end2, 158);
      if (this.is(firstOfExpression | kinds2.question)) {
        this.recovery.push(end2);
        this.entries(entries, height);
        this.recovery.pop();
      }
      this.sync(end2, 161);
      if (this.is(kinds2.comma)) this.take();
      this.match(kinds2.rightBrace, 163, orAfter);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.height = height.value;
    return { kind: "map", position, entries };
  }
  entries(entries, height) {
    let faults = 0;
    try {
      let isFirst = true;
      do {
        if (!isFirst) this.take();
        faults = this.faults.length;
        const { tree: key2, questionAt } = this.optionalExpression(kinds2.colon);
        height.value = Math.max(height.value, this.height);
        this.match(kinds2.colon, isFirst ? 221 : 225, firstOfExpression);
        const value = this.expression(kinds2.comma | orAfter);
        height.value = Math.max(height.value, this.height);
        const isOptional2 = questionAt !== void 0;
        if (isOptional2 && !this.syntax.hasOptionals) {
          this.fault("unsupported syntax '?'", questionAt);
        } else entries.push({ key: key2, value, isOptional: isOptional2 });
        isFirst = false;
      } while (this.is(kinds2.comma) && this.is(firstOfExpression | kinds2.question, 1));
    } catch (error) {
      this.faults.length = faults;
      this.recovery.recover(error);
    }
  }
  struct(isRooted) {
    if (isRooted) this.take();
    let name2 = isRooted ? "." : "";
    while (!this.is(kinds2.leftBrace)) name2 += this.textOf(this.take());
    const { start: position } = this.take();
    const fields = [];
    const height = { value: 0 };
    try {
      const end2 = kinds2.comma | kinds2.rightBrace;
      this.sync(names2 | kinds2.question | end2, 177);
      if (this.is(names2 | kinds2.question)) {
        this.recovery.push(end2);
        this.fields(fields, height);
        this.recovery.pop();
      }
      this.sync(end2, 180);
      if (this.is(kinds2.comma)) this.take();
      this.match(kinds2.rightBrace, 182, orAfter);
    } catch (error) {
      this.recovery.recover(error);
    }
    this.height = height.value;
    return { kind: "struct", position, name: name2, fields };
  }
  fields(fields, height) {
    const { start } = this.at(0);
    try {
      let isFirst = true;
      do {
        if (!isFirst) this.take();
        const name2 = this.optionalField();
        this.match(kinds2.colon, isFirst ? 203 : 207, firstOfExpression);
        const faults = this.faults.length;
        const value = this.expression(kinds2.comma | orAfter);
        height.value = Math.max(height.value, this.height);
        if (typeof name2 === "string") fields.push({ name: name2, value });
        else {
          this.faults.length = faults;
          this.fault(name2.fault, start);
        }
        isFirst = false;
      } while (this.is(kinds2.comma) && this.is(names2 | kinds2.question, 1));
    } catch (error) {
      this.recovery.recover(error);
    }
  }
  optionalField() {
    this.recovery.push(kinds2.colon);
    let name2 = { fault: "unsupported ident kind" };
    try {
      this.sync(names2 | kinds2.question, 216);
      this.takeQuestion();
      ({ name: name2 } = this.fieldName(orAfter));
    } catch (error) {
      this.recovery.recover(error);
    }
    this.recovery.pop();
    return name2;
  }
  literal(position) {
    let sign = "";
    if (this.is(kinds2.minus)) {
      if (!this.is(signedNumber, 1)) {
        this.recovery.push(orAfter);
        this.recovery.recover(new NoViableAlternative(256, this.at(0), this.at(1)));
        this.recovery.pop();
        return { kind: "broken", position: beforeText };
      }
      sign = this.textOf(this.take());
    }
    const token2 = this.take();
    try {
      const value = valueOf2(token2.kind, sign + this.textOf(token2));
      return { kind: "literal", position, value };
    } catch (error) {
      if (!(error instanceof NoSuchValue)) throw error;
      return this.fault(error.message, position);
    }
  }
  call(call) {
    const { name: name2, target, args, position } = call;
    const macro = this.syntax.macros.get(
      `${target === void 0 ? "" : ":"}${name2}/${args.length}`
    );
    if (macro === void 0) return call;
    try {
      return macro({ position, target: target ?? call, args });
    } catch (error) {
      if (!(error instanceof MacroMistake)) throw error;
      return this.fault(error.message, error.position);
    }
  }
  /** A mistake in what could be parsed. */
  fault(message, position) {
    this.faults.push({ message, position });
    return { kind: "broken", position };
  }
  enter(rule) {
    if (++this.depth[rule] > deepest) {
      throw new StopParsing(`expression recursion limit exceeded: ${deepest}`);
    }
  }
};
var HalfNegation = class extends NoViableAlternative {
};
function valueOf2(kind, text4) {
  switch (kind) {
    case kinds2.int:
      return intOf(text4);
    case kinds2.uint:
      return uintOf(text4);
    case kinds2.double:
      return doubleOf2(text4);
    case kinds2.string:
      return stringOf(text4);
    case kinds2.bytes:
      return bytesOf2(text4);
    case kinds2.null:
      return null;
    default:
      return text4 === "true";
  }
}

// src/cel/program.ts
var CelMistakes = class extends Error {
  name = "CelMistakes";
};
function checkExpression(text4, variables, language) {
  const { tree, mistakes: ofParsing } = parse2(text4, language);
  if (tree === void 0) throw new CelMistakes(showMistakes(text4, ofParsing));
  const ofTypes = check(tree, variables, language);
  const mistakes = ofTypes.length === 0 && language.checksLiterals === true ? checkLiterals(tree, language) : ofTypes;
  if (mistakes.length > 0) throw new CelMistakes(showMistakes(text4, mistakes));
  return { tree, type: tree.type };
}
function makeProgram({ tree }, language) {
  const run = plan(tree, language);
  return {
    evaluate(variables, budget) {
      try {
        return within(budget, () => run(new Frame(variables)));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new NotEvaluable("the values are too large, or nest too deep");
      }
    }
  };
}

// src/resolver/cel-error.ts
var CelError = class extends Error {
  name = "CelError";
};

// src/resolver/tolerant-version.ts
function readTolerantVersion(given) {
  const text4 = given.trim().replace(/^v/, "");
  const [major = "", minor, ...rest] = text4.split(".");
  const parts2 = minor === void 0 ? [major] : [major, minor];
  if (rest.length > 0) parts2.push(rest.join("."));
  const trimmed = parts2.map(withoutLeadingZeros);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? "")) return void 0;
  while (trimmed.length < 3) trimmed.push("0");
  return readVersion(trimmed.join("."));
}
function withoutLeadingZeros(part2) {
  if (part2.length <= 1) return part2;
  const rest = part2.replace(/^0+/, "");
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}

// src/resolver/cel-language.ts
var constraintVariables = /* @__PURE__ */ new Map([
  ["properties", listOfType(mapOfType(types2.string, types2.any))]
]);
var semver2 = declare([
  [
    "semver_compare",
    "semver_compare(any, any) int",
    ([a, b]) => BigInt(compareVersions(versionOf(a ?? null), versionOf(b ?? null)))
  ]
]);
var constraintLanguage = {
  functions: new FunctionTable([standardFunctions, semver2]),
  macros: standardMacros,
  hasOptionals: false,
  types: standardTypes,
  fieldOf: () => void 0,
  hidesMixedComparisons: true
};
function versionOf(value) {
  const plain4 = value instanceof Uint ? value.value : value;
  const isText = typeof plain4 === "string" || typeof plain4 === "number" || typeof plain4 === "bigint";
  const version2 = isText ? readTolerantVersion(String(plain4)) : void 0;
  if (version2 === void 0) throw new EvaluationError("unable to parse to semver format");
  return version2;
}

// src/resolver/cel.ts
var stepBudget = 1e6;
function compileCel(text4) {
  const program = compile2(text4);
  return {
    text: text4,
    holds(properties) {
      const list2 = listOf(
        properties.map(
          ({ type: type2, value }) => new ValueMap([
            ["type", type2],
            ["value", dynamicValue(value)]
          ])
        )
      );
      const variables = /* @__PURE__ */ new Map([["properties", () => list2]]);
      try {
        return program.evaluate(variables, { steps: stepBudget }) === true;
      } catch (error) {
        if (error instanceof EvaluationError || error instanceof Panic) return false;
        if (!(error instanceof NotEvaluable)) throw error;
        throw new InvalidInputError(
          "E_LIMIT",
          `the CEL rule ${shorten(text4)} takes more than ${stepBudget} steps on a bundle with ${properties.length} properties; nest fewer comprehensions`
        );
      }
    }
  };
}
function compile2(text4) {
  try {
    const expression = checkExpression(text4, constraintVariables, constraintLanguage);
    if (expression.type.kind !== "bool") {
      throw new CelError("cel expressions must have type Bool");
    }
    return makeProgram(expression, constraintLanguage);
  } catch (error) {
    if (error instanceof CelMistakes || error instanceof NoProgram) {
      throw new CelError(error.message);
    }
    if (!(error instanceof NotEvaluable)) throw error;
    throw new InvalidInputError(
      "E_RESOLVE",
      `the CEL rule ${shorten(text4)} cannot be judged: ${error.message}; write it without message literals and optional entries`
    );
  }
}
function dynamicValue(value) {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return listOf(value.map(dynamicValue));
  if (!isObject(value)) return value;
  return new ValueMap(Object.entries(value).map(([key2, item]) => [key2, dynamicValue(item)]));
}
function shorten(text4) {
  return JSON.stringify(text4.length > 80 ? `${text4.slice(0, 80)}\u2026` : text4);
}

// src/resolver/decode.ts
var DecodeError = class extends Error {
  name = "DecodeError";
};
function decodeRecord(value, shape, options = {}) {
  const decoder = new Decoder(options.refuseUnknown === true);
  const record = decoder.record(value, shape, /* @__PURE__ */ new Map(), "", []);
  if (decoder.error !== void 0) throw new DecodeError(decoder.error);
  return record;
}
function text3(record, field2) {
  const value = record.get(field2);
  return typeof value === "string" ? value : "";
}
var Decoder = class {
  constructor(refuseUnknown) {
    this.refuseUnknown = refuseUnknown;
  }
  refuseUnknown;
  error;
  record(value, shape, into, owner, path) {
    if (value === null) return into;
    if (!isObject(value)) {
      this.mismatch(value, shape.type, owner, path);
      return into;
    }
    for (const key2 of Object.keys(value)) {
      const field2 = findField(shape.fields, key2);
      if (field2 === void 0) {
        if (this.refuseUnknown) this.error ??= `json: unknown field ${JSON.stringify(key2)}`;
        continue;
      }
      const given = shape.fields[field2];
      const inner = typeof given === "function" ? given() : given;
      const item = Object.getOwnPropertyDescriptor(value, key2)?.value;
      if (inner === void 0) continue;
      const decoded = this.value(item, inner, into.get(field2), shape.name, [...path, field2]);
      if (decoded === void 0) {
        if (item === null && inner.kind !== "string") into.delete(field2);
      } else into.set(field2, decoded);
    }
    return into;
  }
  value(value, shape, before, owner, path) {
    if (value === null) return void 0;
    switch (shape.kind) {
      case "string":
        if (typeof value === "string") return value;
        this.mismatch(value, "string", owner, path);
        return void 0;
      case "list":
        if (Array.isArray(value)) {
          return value.map(
            (item) => this.value(item, shape.element(), void 0, owner, path) ?? /* @__PURE__ */ new Map()
          );
        }
        this.mismatch(value, shape.type, owner, path);
        return void 0;
      case "record":
        return this.record(
          value,
          shape,
          before instanceof Map ? before : /* @__PURE__ */ new Map(),
          owner,
          path
        );
    }
  }
  mismatch(value, type2, owner, path) {
    const field2 = path.length === 0 ? "" : `${owner}.${path.join(".")}`;
    this.error ??= cannotUnmarshal(jsonKind(value), type2, field2);
  }
};
function findField(fields, key2) {
  if (Object.hasOwn(fields, key2)) return key2;
  const folded2 = key2.toLowerCase();
  return Object.keys(fields).find((field2) => field2.toLowerCase() === folded2);
}

// src/resolver/constraint.ts
var sizeLimits = { olm: 2 << 16, documents: 1 << 16 };
var ConstraintError = class extends Error {
  name = "ConstraintError";
};
function parseConstraint(value, semantics) {
  const limit = sizeLimits[semantics];
  const given = semantics === "documents" ? withPackageName(value) : value;
  const record = prefixed("parse olm.constraint", () => {
    if (Buffer.byteLength(stringifyJson(value)) > limit) {
      throw new Error(`olm.constraint value is greater than max constraint size ${limit} bytes`);
    }
    return decodeRecord(given, constraintShape, { refuseUnknown: true });
  });
  return prefixed("convert olm.constraint to resolver predicate", () => ({
    predicate: toPredicate(record),
    failureMessage: text3(record, "failureMessage"),
    partMessages: messagesBelow(record)
  }));
}
function messagesBelow(record) {
  return ["all", "any", "not"].flatMap((kind) => {
    const parts2 = recordAt(record, kind)?.get("constraints");
    return (Array.isArray(parts2) ? parts2 : []).flatMap((part2) => {
      if (!(part2 instanceof Map)) return [];
      const message = text3(part2, "failureMessage");
      return [...message === "" ? [] : [message], ...messagesBelow(part2)];
    });
  });
}
var knownRanges = /* @__PURE__ */ new Map();
var maxKnownRanges = 1e4;
function parseRange(range) {
  const known2 = knownRanges.get(range);
  if (known2 !== void 0) return known2;
  const { alternatives } = readBlangRange(range);
  if (alternatives.some((comparisons2) => comparisons2.length === 0)) {
    throw new InvalidRangeError(`Range ${JSON.stringify(range)} has nothing between two '||'`);
  }
  const includes = parseBlangRange(range);
  if (knownRanges.size >= maxKnownRanges) knownRanges.clear();
  knownRanges.set(range, includes);
  return includes;
}
var string = { kind: "string" };
var compound = {
  kind: "record",
  type: "constraints.CompoundConstraint",
  name: "CompoundConstraint",
  fields: {
    constraints: { kind: "list", type: "[]constraints.Constraint", element: () => constraintShape }
  }
};
var constraintShape = {
  kind: "record",
  type: "constraints.Constraint",
  name: "Constraint",
  fields: {
    failureMessage: string,
    cel: { kind: "record", type: "constraints.Cel", name: "Cel", fields: { rule: string } },
    package: {
      kind: "record",
      type: "constraints.PackageConstraint",
      name: "PackageConstraint",
      fields: { packageName: string, versionRange: string }
    },
    gvk: {
      kind: "record",
      type: "constraints.GVKConstraint",
      name: "GVKConstraint",
      fields: { group: string, kind: string, version: string }
    },
    all: compound,
    any: compound,
    not: compound
  }
};
function toPredicate(record) {
  const gvk = recordAt(record, "gvk");
  if (gvk !== void 0) {
    const api2 = {
      group: text3(gvk, "group"),
      version: text3(gvk, "version"),
      kind: text3(gvk, "kind")
    };
    return { kind: "gvk", api: api2 };
  }
  const required = recordAt(record, "package");
  if (required !== void 0) {
    const range = text3(required, "versionRange");
    return packagePredicate(text3(required, "packageName"), range, parseRange(range));
  }
  for (const kind of ["all", "any", "not"]) {
    const list2 = recordAt(record, kind)?.get("constraints");
    if (recordAt(record, kind) === void 0) continue;
    const parts2 = Array.isArray(list2) ? list2 : [];
    return { kind, parts: parts2.map((part2) => toPredicate(part2)) };
  }
  const cel = recordAt(record, "cel");
  if (cel === void 0) throw new Error("constraint is empty");
  return {
    kind: "cel",
    rule: compileCel(text3(cel, "rule")),
    message: text3(record, "failureMessage")
  };
}
function recordAt(record, field2) {
  const value = record.get(field2);
  return value instanceof Map ? value : void 0;
}
function prefixed(prefix, run) {
  try {
    return run();
  } catch (error) {
    const expected2 = error instanceof Error && !(error instanceof TypeError);
    if (!expected2 || error.name === "InvalidInputError") throw error;
    throw new ConstraintError(`${prefix}: ${error.message}`, { cause: error });
  }
}
function withPackageName(value) {
  if (Array.isArray(value)) return value.map(withPackageName);
  if (!isObject(value)) return value;
  const copied = Object.keys(value).map((key2) => {
    const item = Object.getOwnPropertyDescriptor(value, key2)?.value;
    return [key2, key2 === "package" && isObject(item) ? renameKey(item) : withPackageName(item)];
  });
  return Object.fromEntries(copied);
}
function renameKey(value) {
  if (Object.hasOwn(value, "packageName")) return value;
  return Object.fromEntries(
    Object.keys(value).map((key2) => [
      key2 === "name" ? "packageName" : key2,
      Object.getOwnPropertyDescriptor(value, key2)?.value
    ])
  );
}

// src/resolver/requirement.ts
var PropertyRequirement = class {
  constructor(property, semantics) {
    this.property = property;
    this.semantics = semantics;
  }
  property;
  semantics;
  parsed;
  predicate() {
    return this.parse().predicate;
  }
  failureMessage() {
    return this.parse().failureMessage;
  }
  partMessages() {
    return this.parse().partMessages;
  }
  parse() {
    this.parsed ??= parseProperty(this.property, this.semantics);
    if (this.parsed instanceof ConstraintError) throw this.parsed;
    return this.parsed;
  }
};
var UnreadableBundleError = class extends Error {
  name = "UnreadableBundleError";
};
var dependencyTypes = /* @__PURE__ */ new Set([
  "olm.constraint",
  "olm.gvk.required",
  "olm.package.required",
  "olm.label.required"
]);
var Requirements = class {
  constructor(semantics) {
    this.semantics = semantics;
  }
  semantics;
  known = /* @__PURE__ */ new Map();
  versions = /* @__PURE__ */ new Map();
  /** Strictly read, and each text once; undefined for what is no version. */
  version(given) {
    if (!this.versions.has(given)) this.versions.set(given, readVersion(given));
    return this.versions.get(given);
  }
  /** Undefined for a property that is no dependency. */
  of(property) {
    if (!dependencyTypes.has(property.type)) return void 0;
    const key2 = `${property.type} ${stringifyJson(property.value)}`;
    let requirement = this.known.get(key2);
    if (requirement === void 0) {
      requirement = new PropertyRequirement(property, this.semantics);
      this.known.set(key2, requirement);
    }
    return requirement;
  }
};
function propertyOfDependency({ type: type2, value }) {
  switch (type2) {
    case "olm.gvk": {
      const record = readLegacy(value, gvkShape, type2);
      const api2 = {
        group: text3(record, "group"),
        version: text3(record, "version"),
        kind: text3(record, "kind")
      };
      return { type: "olm.gvk.required", value: api2 };
    }
    case "olm.package": {
      const record = readLegacy(value, legacyPackageShape, type2);
      const required = {
        packageName: text3(record, "packageName"),
        versionRange: text3(record, "version")
      };
      return { type: "olm.package.required", value: required };
    }
    case "olm.label":
      return { type: "olm.label.required", value };
    case "olm.constraint":
      return { type: type2, value };
    default:
      return void 0;
  }
}
var string2 = { kind: "string" };
var gvkShape = anonymous("Group", "Version", "Kind");
var requiredPackageShape = anonymous("PackageName", "VersionRange");
var labelShape = anonymous("Label");
var legacyPackageShape = {
  kind: "record",
  type: 'struct { PackageName string "json:\\"packageName\\""; VersionRange string "json:\\"version\\"" }',
  name: "",
  fields: { packageName: string2, version: string2 }
};
function anonymous(...names3) {
  const fields = names3.map((name2) => [name2, name2.charAt(0).toLowerCase() + name2.slice(1)]);
  const printed2 = fields.map(([name2, key2]) => `${name2} string "json:\\"${key2}\\""`);
  return {
    kind: "record",
    type: `struct { ${printed2.join("; ")} }`,
    name: "",
    fields: Object.fromEntries(fields.map(([, key2]) => [key2, string2]))
  };
}
function readLegacy(value, shape, type2) {
  try {
    return decodeRecord(value, shape);
  } catch (error) {
    throw new UnreadableBundleError(
      `failed to unmarshal legacy '${type2}' dependency: ${String(error)}`
    );
  }
}
function parseProperty(property, semantics) {
  try {
    return property.type === "olm.constraint" ? parseConstraint(property.value, semantics) : { predicate: legacyPredicate(property), failureMessage: "", partMessages: [] };
  } catch (error) {
    if (!(error instanceof Error) || error.name === "InvalidInputError") throw error;
    return error instanceof ConstraintError ? error : new ConstraintError(error.message);
  }
}
function legacyPredicate({ type: type2, value }) {
  switch (type2) {
    case "olm.gvk.required": {
      const record = decodeRecord(value, gvkShape);
      const api2 = {
        group: text3(record, "group"),
        version: text3(record, "version"),
        kind: text3(record, "kind")
      };
      return { kind: "gvk", api: api2 };
    }
    case "olm.package.required": {
      const record = decodeRecord(value, requiredPackageShape);
      const range = text3(record, "versionRange");
      return packagePredicate(text3(record, "packageName"), range, parseRange(range));
    }
    default:
      return { kind: "label", label: text3(decodeRecord(value, labelShape), "label") };
  }
}
function asking(requirement, predicate) {
  return {
    property: requirement.property,
    predicate: () => predicate,
    failureMessage: () => requirement.failureMessage(),
    partMessages: () => requirement.partMessages()
  };
}

// src/resolver/entry.ts
var existing = "@existing";
function catalogId({ name: name2, namespace }) {
  return `${name2}/${namespace}`;
}
function entryId(catalog, channel, name2) {
  return `${catalogId(catalog)}/${channel}/${name2}`;
}
var string3 = { kind: "string" };
var packageShape = {
  kind: "record",
  type: "registry.PackageProperty",
  name: "PackageProperty",
  fields: { packageName: string3, version: string3, release: string3 }
};
var labelShape2 = {
  kind: "record",
  type: "registry.LabelProperty",
  name: "LabelProperty",
  fields: { label: string3 }
};
function readBundle(given, version2, requirements) {
  const properties = requirements.semantics === "documents" ? given.map(withConstraintBesideValue) : given;
  const packages = [];
  let apis = none2;
  let labels = none2;
  const needed = [];
  const kept = [];
  let deprecated = false;
  for (const property of properties) {
    const requirement = requirements.of(property);
    kept.push(requirement?.property ?? property);
    if (requirement !== void 0) needed.push(requirement);
    switch (property.type) {
      case "olm.package": {
        const record = decodeOrSkip(property.value, packageShape);
        if (record === void 0) break;
        packages.push({
          name: text3(record, "packageName"),
          version: requirements.version(text3(record, "version"))
        });
        break;
      }
      case "olm.gvk": {
        const record = decodeOrSkip(property.value, gvkShape);
        if (record === void 0) break;
        const api2 = {
          group: text3(record, "group"),
          version: text3(record, "version"),
          kind: text3(record, "kind")
        };
        apis = [...apis, apiKey(api2)];
        break;
      }
      case "olm.label": {
        const record = decodeOrSkip(property.value, labelShape2);
        if (record !== void 0) labels = [...labels, text3(record, "label")];
        break;
      }
      case "olm.deprecated":
        deprecated = true;
    }
  }
  return {
    packages,
    apis,
    labels,
    version: version2,
    properties: kept,
    deprecated,
    requirements: needed
  };
}
function readSkipRange(range) {
  try {
    return range === "" ? void 0 : parseBlangRange(range);
  } catch {
    return void 0;
  }
}
function decodeOrSkip(value, shape) {
  try {
    return decodeRecord(value, shape);
  } catch (error) {
    if (error instanceof DecodeError) return void 0;
    throw error;
  }
}
var none2 = [];
var kinds3 = ["gvk", "package", "all", "any", "not", "cel"];
function withConstraintBesideValue(property) {
  if (property.type !== "olm.constraint" || isObject(property.value)) return property;
  const beside = Object.entries(property).filter(([key2]) => key2 !== "type" && key2 !== "value");
  if (!beside.some(([key2]) => kinds3.includes(key2))) return property;
  return { type: property.type, value: Object.fromEntries(beside) };
}

// src/resolver/cause.ts
function reasonText(cause) {
  switch (cause.kind) {
    case "subscription-exists":
      return `subscription ${cause.subscription.name} exists`;
    case "subscription-invalid":
      return cause.reason;
    case "subscription-requires": {
      const { name: name2 } = cause.subscription;
      const ids = cause.candidates.map(({ id }) => id);
      if (ids.length === 0) {
        return `no operators found matching the criteria of subscription ${name2}`;
      }
      const listed = `at least one of ${ids.slice(0, -1).join(", ")} or ${ids.at(-1) ?? ""}`;
      return `subscription ${name2} requires ${ids.length === 1 ? ids[0] ?? "" : listed}`;
    }
    case "unsubscribed-csv":
      return `clusterserviceversion ${cause.entry.name} exists and is not referenced by a subscription`;
    case "deprecated":
      return `bundle ${cause.entry.id} is deprecated`;
    case "requires":
      return `bundle ${cause.entry.name} requires an operator ${describePredicate(cause.requirement.predicate())}`;
    case "replaces":
      return `${cause.entry.id} conflicts with ${entryId(cause.current.catalog, "", cause.current.name)}`;
    case "one-provider":
      return `${listIds(cause.entries)} provide ${cause.api}`;
    case "one-per-package":
      return `${listIds(cause.entries)} originate from package ${cause.package}`;
    case "forbids":
      return `bundle ${cause.entry.name} requires that no operator is chosen ${describePredicate(cause.requirement.predicate())}`;
  }
}
function listIds(entries) {
  const ids = entries.map(({ id }) => id);
  return `${ids.slice(0, -1).join(", ")} and ${ids.at(-1) ?? ""}`;
}

// src/resolver/error.ts
var ResolutionError = class extends Error {
  constructor(message, places = [], remedies = []) {
    super(message);
    this.places = places;
    this.remedies = remedies;
  }
  places;
  remedies;
  name = "ResolutionError";
};
function aggregate(messages, places = [], remedies = []) {
  const distinct2 = [...new Set(messages)];
  const [only = ""] = distinct2;
  return new ResolutionError(
    distinct2.length === 1 ? only : `[${distinct2.join(", ")}]`,
    [...new Set(places)],
    [...new Set(remedies)]
  );
}

// src/resolver/channel-order.ts
function orderChannel(entries) {
  const [sample] = entries;
  if (sample === void 0) return entries;
  const where = `in channel ${JSON.stringify(sample.channel)} of package ${JSON.stringify(sample.package)}`;
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const replaced = /* @__PURE__ */ new Set();
  const next = /* @__PURE__ */ new Map();
  const skipped = /* @__PURE__ */ new Set();
  for (const entry of entries) {
    const before = entry.replaces === "" ? void 0 : byName.get(entry.replaces);
    if (before !== void 0) {
      replaced.add(before);
      next.set(entry, before);
    }
    for (const skip of entry.skips) {
      const target = byName.get(skip);
      if (target === void 0) continue;
      replaced.add(target);
      skipped.add(skip);
    }
  }
  const heads = entries.filter((entry) => !replaced.has(entry));
  if (heads.length === 0) {
    throw new ResolutionError(
      `no channel heads (entries not replaced by another entry) found ${where}`
    );
  }
  const chains = heads.map((head) => {
    const chain = [];
    const visited = /* @__PURE__ */ new Set();
    for (let entry = head; entry !== void 0; entry = next.get(entry)) {
      if (visited.has(entry)) {
        throw new ResolutionError(
          `a cycle exists in the chain of replacement beginning with ${JSON.stringify(head.name)} ${where}`
        );
      }
      visited.add(entry);
      if (!skipped.has(entry.name)) chain.push(entry);
    }
    return chain;
  });
  if (chains.length > 1) {
    throw new ResolutionError(
      `a unique replacement chain within a channel is required to determine the relative order between channel entries, but ${chains.length} replacement chains were found ${where}: ${chains.map(describeChain).join(", ")}`
    );
  }
  return chains[0] ?? [];
}
function describeChain(chain) {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === void 0 || last === void 0) return "[]";
  return first === last ? first.name : `${first.name}...${last.name}`;
}

// src/resolver/channel-groups.ts
var ChannelGroup = class {
  entries = [];
  ordered;
  /** @throws ResolutionError */
  order() {
    const order4 = this.orderOrError();
    if (order4 instanceof ResolutionError) throw order4;
    return order4;
  }
  get isOrdered() {
    return !(this.orderOrError() instanceof ResolutionError);
  }
  orderOrError() {
    if (this.ordered === void 0) {
      try {
        this.ordered = orderChannel(this.entries);
      } catch (error) {
        if (!(error instanceof ResolutionError)) throw error;
        this.ordered = error;
      }
    }
    return this.ordered;
  }
};
function groupsAround(catalog, found2) {
  const sources = /* @__PURE__ */ new Map();
  for (const entry of found2) {
    const key2 = `${entry.package}
${entry.installed ? entry.subscription ?? "" : entry.channel}`;
    if (!sources.has(key2)) sources.set(key2, sourceMembers(catalog, entry));
  }
  const union2 = new Set([...sources.values()].flat());
  const groups2 = /* @__PURE__ */ new Map();
  for (const entry of catalog.entries) {
    if (!union2.has(entry)) continue;
    const key2 = catalog.groupOf(entry);
    const members = groups2.get(key2);
    if (members === void 0) groups2.set(key2, [entry]);
    else members.push(entry);
  }
  return [...groups2.values()];
}
function compareGroups([a], [b]) {
  if (a === void 0 || b === void 0) return 0;
  if (a.inDefaultChannel !== b.inDefaultChannel) return a.inDefaultChannel ? -1 : 1;
  return compare2(a.package, b.package) || compare2(a.channel, b.channel);
}
function sourceMembers(catalog, entry) {
  const { installed, name: name2, channel } = entry;
  if (installed) return catalog.entries.filter((other) => other.name === name2);
  return catalog.ofPackage(entry.package).filter((other) => channel === "" || other.channel === channel);
}
function compare2(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// src/resolver/catalog.ts
var Catalog = class {
  /** `entries` are numbered by their positions. */
  constructor(key2, priority, entries, error) {
    this.key = key2;
    this.priority = priority;
    this.entries = entries;
    this.error = error;
    this.id = catalogId(key2);
    const groups2 = /* @__PURE__ */ new Map();
    for (const entry of entries) {
      const { position, bundle, package: name2, channel } = entry;
      append(this.byPackage, name2, position);
      for (const other of new Set(bundle.packages.map((it) => it.name))) {
        if (other === name2) continue;
        append(this.byPackage, other, position);
        this.isPlain = false;
      }
      for (const api2 of bundle.apis) appendOnce(this.byApi, api2, position);
      for (const label3 of bundle.labels) appendOnce(this.byLabel, label3, position);
      const key3 = `${name2}
${channel}`;
      let group = groups2.get(key3);
      if (group === void 0) groups2.set(key3, group = new ChannelGroup());
      group.entries.push(entry);
      this.groups.push(group);
      if (channel === "") this.isPlain = false;
    }
    this.twinsById = findTwins(entries);
  }
  key;
  priority;
  entries;
  error;
  id;
  byPackage = /* @__PURE__ */ new Map();
  byApi = /* @__PURE__ */ new Map();
  byLabel = /* @__PURE__ */ new Map();
  groups = [];
  /** By id, where entries share one. */
  twinsById;
  /** No bundle calls itself by another package's name, so that packages and channels are what they seem. */
  isPlain = true;
  best = /* @__PURE__ */ new Map();
  /**
   * The entries that share an entry's id: itself, and of other packages with such a channel and CSV.
   * Undefined when it is alone.
   */
  twins(entry) {
    return this.twinsById.size === 0 ? void 0 : this.twinsById.get(entry.id);
  }
  /** Bundles that a subscription or a dependency means by a package name, in listed order. */
  ofPackage(name2) {
    return this.at(this.byPackage.get(name2) ?? []);
  }
  /** All entries of an entry's package and channel. */
  groupOf(entry) {
    const group = this.groups[entry.position];
    if (group === void 0) throw new RangeError(`${entry.id} is not of ${this.id}`);
    return group;
  }
  /** In channel order; `entries` share package and channel. @throws ResolutionError */
  order(entries) {
    const [sample] = entries;
    if (sample === void 0) return entries;
    const group = this.groupOf(sample);
    const isWhole = entries.length === group.entries.length && entries.every((entry) => this.groupOf(entry) === group);
    return isWhole ? group.order() : orderChannel(entries);
  }
  /**
   * Entries that meet a requirement, best first. Whole channels are put in order before the requirement
   * filters them, so skipped entries never count.
   *
   * @throws ConstraintError, ResolutionError
   */
  preferred(requirement) {
    if (this.entries.length === 0) return this.entries;
    let best = this.best.get(requirement);
    if (best === void 0) {
      const predicate = requirement.predicate();
      const positions = this.narrow(predicate);
      const possible = positions === void 0 ? this.entries : this.at(positions);
      best = this.isPlain ? this.inGroups(possible, predicate) : this.search(possible, predicate);
      this.best.set(requirement, best);
    }
    return best;
  }
  inGroups(possible, predicate) {
    const holds2 = (entry) => matches(predicate, entry.bundle, entry.package);
    const groups2 = [...new Set(possible.map((entry) => this.groupOf(entry)))];
    if (groups2.length > 1) groups2.sort((a, b) => compareGroups(a.entries, b.entries));
    return groups2.flatMap((group) => {
      const order4 = group.isOrdered || group.entries.some(holds2) ? group.order() : [];
      return order4.filter(holds2);
    });
  }
  search(possible, predicate) {
    const holds2 = (entry) => matches(predicate, entry.bundle, entry.package);
    return groupsAround(this, possible.filter(holds2)).sort(compareGroups).flatMap((group) => this.order(group)).filter(holds2);
  }
  /** A superset of the matching positions, ascending, or undefined when no index narrows the search. */
  narrow(predicate) {
    switch (predicate.kind) {
      case "gvk": {
        const { group, version: version2, kind } = predicate.api;
        return this.byApi.get(`${group}
${version2}
${kind}`) ?? [];
      }
      case "package":
        return this.byPackage.get(predicate.name) ?? [];
      case "label":
        return this.byLabel.get(predicate.label) ?? [];
      case "all":
        return smallest2(predicate.parts.map((part2) => this.narrow(part2)));
      case "any": {
        const union2 = /* @__PURE__ */ new Set();
        for (const part2 of predicate.parts) {
          const positions = this.narrow(part2);
          if (positions === void 0) return void 0;
          for (const position of positions) union2.add(position);
        }
        return [...union2].sort((a, b) => a - b);
      }
      case "version":
      case "cel":
      case "not":
        return void 0;
    }
  }
  at(positions) {
    return positions.flatMap((position) => this.entries[position] ?? []);
  }
};
function findTwins(entries) {
  const twins = /* @__PURE__ */ new Map();
  const firsts = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const first = firsts.get(entry.id);
    if (first === void 0) firsts.set(entry.id, entry);
    else if (twins.has(entry.id)) append(twins, entry.id, entry);
    else twins.set(entry.id, [first, entry]);
  }
  return twins;
}
function smallest2(lists) {
  let best;
  for (const list2 of lists) {
    if (list2 !== void 0 && (best === void 0 || list2.length < best.length)) best = list2;
  }
  return best;
}
function appendOnce(map2, key2, position) {
  if (map2.get(key2)?.at(-1) !== position) append(map2, key2, position);
}
function append(map2, key2, item) {
  const list2 = map2.get(key2);
  if (list2 === void 0) map2.set(key2, [item]);
  else list2.push(item);
}

// src/resolver/load-catalog.ts
function loadCatalog(state2, requirements) {
  const key2 = { name: state2.name, namespace: state2.namespace };
  const priority = state2.priority ?? 0;
  const error = unhealthy(state2);
  if (error !== void 0) return new Catalog(key2, priority, [], error);
  const entries = [];
  for (const item of state2.packages ?? []) addEntries(entries, item, key2, requirements);
  return new Catalog(key2, priority, entries);
}
function addEntries(entries, { name: name2, defaultChannel, channels, bundles }, catalog, requirements) {
  const readable = new Map(
    (bundles ?? []).map((bundle) => [bundle.name, read(bundle, name2, requirements)])
  );
  for (const channel of channels ?? []) {
    for (const item of channel.entries ?? []) {
      const bundle = readable.get(item.name);
      if (bundle === void 0) continue;
      entries.push({
        position: entries.length,
        id: entryId(catalog, channel.name, item.name),
        name: item.name,
        catalog,
        package: name2,
        channel: channel.name,
        inDefaultChannel: channel.name === (defaultChannel ?? ""),
        replaces: item.replaces ?? "",
        skips: item.skips ?? [],
        skipRange: readSkipRange(item.skipRange ?? ""),
        bundle,
        installed: false,
        subscription: void 0
      });
    }
  }
}
function read({ version: version2, properties, dependencies }, packageName2, requirements) {
  const all3 = [...properties ?? []];
  try {
    for (const item of dependencies ?? []) {
      const property = propertyOfDependency(item);
      if (property !== void 0) all3.push(property);
    }
  } catch (error) {
    if (error instanceof UnreadableBundleError) return void 0;
    throw error;
  }
  if (!all3.some(({ type: type2 }) => type2 === "olm.package")) {
    all3.push({ type: "olm.package", value: { packageName: packageName2, version: version2 ?? "" } });
  }
  return readBundle(
    all3,
    requirements.version(version2 ?? "") ?? readTolerantVersion(version2 ?? ""),
    requirements
  );
}
function unhealthy({ name: name2, namespace, error, noClient }) {
  const text4 = noClient === true ? `no registry client established for catalogsource ${namespace}/${name2}` : error === void 0 || error === null || error === "" ? void 0 : `failed to list bundles: ${error}`;
  return text4 === void 0 ? void 0 : `error using catalogsource ${namespace}/${name2}: ${text4}`;
}

// src/resolver/installed.ts
var failForward = "TechPreviewUnsafeFailForward";
var zeroVersion = parseVersion("0.0.0");
function loadInstalled(state2, requirements) {
  const { namespace } = state2;
  const key2 = { name: existing, namespace };
  const csvs = (state2.installedCSVs ?? []).filter((csv) => csv.namespace === namespace);
  const subscriptions = (state2.subscriptions ?? []).filter((it) => it.namespace === namespace);
  const group = (state2.operatorGroups ?? []).find((it) => it.namespace === namespace);
  const failsForward = group?.upgradeStrategy === failForward;
  const entries = [];
  try {
    for (const csv of csvs.toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) {
      if ((csv.copiedFrom ?? "") !== "") continue;
      if (failsForward && endsInFailure(csv, csvs) && csv.phase === "Replacing") continue;
      entries.push(toEntry(csv, entries.length, key2, subscriptions, requirements));
    }
  } catch (error) {
    if (!(error instanceof InstalledCsvError)) throw error;
    return new Catalog(
      key2,
      0,
      [],
      `error using catalogsource ${namespace}/${existing}: ${error.message}`
    );
  }
  return new Catalog(key2, 0, entries);
}
var InstalledCsvError = class extends Error {
  name = "InstalledCsvError";
};
function toEntry(csv, position, catalog, subscriptions, requirements) {
  const owners = subscriptions.filter(({ installedCSV }) => installedCSV === csv.name);
  const fromCrds = [
    ...apiProperties("olm.gvk", csv.ownedCRDs ?? []),
    ...apiProperties("olm.gvk.required", csv.requiredCRDs ?? [])
  ];
  const version2 = readVersion(csv.version ?? "") ?? zeroVersion;
  const bundle = readBundle(
    csv.properties ?? [...fromCrds, ...inferPackage(csv, owners)],
    version2,
    requirements
  );
  return {
    position,
    id: entryId(catalog, "", csv.name),
    name: csv.name,
    catalog,
    package: bundle.packages.at(-1)?.name ?? "",
    channel: "",
    inDefaultChannel: false,
    replaces: "",
    skips: [],
    skipRange: void 0,
    bundle,
    installed: true,
    subscription: owners.at(-1)?.name
  };
}
function apiProperties(type2, references) {
  const seen = /* @__PURE__ */ new Map();
  for (const { name: name2, version: version2, kind } of references) {
    const dot = name2.indexOf(".");
    if (dot < 0) throw new InstalledCsvError(`error parsing crd name: ${name2}`);
    const value = { group: name2.slice(dot + 1), version: version2, kind };
    seen.set(`${stringifyJson(value)} ${name2.slice(0, dot)}`, { type: type2, value });
  }
  return [...seen.keys()].sort().flatMap((key2) => seen.get(key2) ?? []);
}
function inferPackage(csv, owners) {
  const packages = new Set(owners.map((owner) => owner.package).filter((name2) => name2 !== ""));
  const [packageName2] = packages;
  if (packages.size !== 1 || packageName2 === void 0) return [];
  const version2 = readVersion(csv.version ?? "");
  const known2 = version2 !== void 0 && compareVersions(version2, zeroVersion) !== 0;
  return [
    { type: "olm.package", value: { packageName: packageName2, version: known2 ? formatVersion(version2) : "" } }
  ];
}
function endsInFailure(start, csvs) {
  const replacements2 = new Map(
    csvs.flatMap((csv2) => (csv2.replaces ?? "") === "" ? [] : [[csv2.replaces ?? "", csv2]])
  );
  const visited = /* @__PURE__ */ new Set();
  let csv = start;
  for (; ; ) {
    const next = replacements2.get(csv.name);
    if (next === void 0) return csv.phase === "Failed";
    const phase = csv.phase ?? "Succeeded";
    if (phase !== "Replacing") {
      throw new InstalledCsvError(
        `csv ${csv.namespace}/${csv.name} in phase ${phase} instead of Replacing`
      );
    }
    if (visited.has(csv.name)) {
      throw new InstalledCsvError(`csv ${csv.namespace}/${csv.name} has already been seen`);
    }
    visited.add(csv.name);
    csv = next;
  }
}

// src/resolver/constraint-remedy.ts
function constraintRemedy(value, message) {
  if (unknownVariable(message) !== void 0) {
    return "use only the variable properties and the function semver_compare";
  }
  if (message.endsWith('unknown field "name"') && mentionsName(value)) {
    return 'in "package" write packageName where it says name';
  }
  if (message.endsWith("constraint is empty")) {
    return "write what is asked for (gvk, package, all, any, not or cel) below value";
  }
  if (/unknown field "|cannot unmarshal /.test(message)) return `write only ${known}`;
  if (message.includes("Could not parse ")) {
    return 'write a range as OLM classic reads it, such as ">=1.0.0 <2.0.0"';
  }
  if (message.endsWith("must have type Bool")) return "write a rule that is true or false";
  return void 0;
}
var known = "failureMessage, gvk {group, version, kind}, package {packageName, versionRange}, all, any and not {constraints: [\u2026]}, cel {rule}";
function unknownVariable(message) {
  return /undeclared reference to '([^']+)'/.exec(message)?.[1];
}
function mentionsName(value) {
  if (Array.isArray(value)) return value.some(mentionsName);
  if (!isObject(value)) return false;
  const required = own(value, "package");
  if (isObject(required) && own(required, "name") !== void 0) return true;
  return Object.keys(value).some((key2) => mentionsName(own(value, key2) ?? null));
}

// src/resolver/same-meaning.ts
function sameMeaning(a, b) {
  if (!("subject" in a && "subject" in b) || a.subject !== b.subject) return false;
  const left = candidatesOf2(a);
  const right = candidatesOf2(b);
  if (left === void 0 || right === void 0) return false;
  if (left === right) return true;
  return left.length === right.length && left.every((it, index) => it === right[index]);
}
function candidatesOf2(constraint) {
  if (constraint.kind === "prohibited") return [];
  return constraint.kind === "dependency" ? constraint.candidates : void 0;
}

// src/resolver/constraint-list.ts
var ConstraintList = class {
  constructor(meanings, numberOf) {
    this.meanings = meanings;
    this.numberOf = numberOf;
  }
  meanings;
  numberOf;
  constraints = [];
  causes = [];
  /** By the entries they stand for: dependencies share them. */
  candidates = /* @__PURE__ */ new Map();
  entriesOf;
  add(constraint, cause) {
    this.constraints.push(constraint);
    this.causes.push(cause);
  }
  /**
   * A dependency of the bundle `owner` on one of `entries`. Constraints of one bundle that mean the same
   * are one literal to OLM, which reports the last of them: dependencies on the same candidates, and for
   * a bundle that is out in any case the last reason.
   *
   * @param since where the constraints of the bundle begin
   */
  depend(subject, owner, requirement, entries, since) {
    let candidates = this.candidates.get(entries);
    if (candidates === void 0) {
      candidates = entries.map(this.numberOf);
      this.candidates.set(entries, candidates);
    }
    const constraint = { kind: "dependency", subject, candidates };
    const cause = this.entryOf(subject) === owner ? requirement : { kind: "requires", entry: owner, requirement, candidates: entries };
    for (let index = since; index < this.constraints.length; index++) {
      const other = this.constraints[index];
      if (other === void 0 || !sameMeaning(other, constraint)) continue;
      this.causes[index] = cause;
      return;
    }
    this.constraints.push(constraint);
    this.causes.push(cause);
  }
  causeOf(index) {
    const cause = this.causes[index];
    if (cause === void 0 || "kind" in cause) return cause;
    const constraint = this.constraints[index];
    if (constraint?.kind !== "dependency") return void 0;
    this.entriesOf ??= new Map(
      [...this.candidates].map(([entries, numbers2]) => [numbers2, entries])
    );
    const entry = this.entryOf(constraint.subject);
    const candidates = this.entriesOf.get(constraint.candidates) ?? [];
    return entry && { kind: "requires", entry, requirement: cause, candidates };
  }
  entryOf(variable) {
    const meaning = this.meanings[variable];
    return meaning?.kind === "entry" ? meaning.entry : void 0;
  }
};

// src/resolver/formula.ts
var parsed = /* @__PURE__ */ new WeakMap();
function formulaParts(requirement) {
  let parts2 = parsed.get(requirement);
  if (parts2 === void 0) {
    parts2 = partsOf(requirement.predicate(), requirement, true);
    parsed.set(requirement, parts2);
  }
  return parts2;
}
function partsOf(predicate, requirement, positive) {
  if (isAtom(predicate)) return [atom(predicate, requirement, positive)];
  switch (predicate.kind) {
    case "not":
      return positive ? predicate.parts.flatMap((part2) => partsOf(part2, requirement, false)) : either(predicate.parts, requirement, true);
    case "all":
      return positive ? predicate.parts.flatMap((part2) => partsOf(part2, requirement, true)) : either(predicate.parts, requirement, false);
    case "any":
      if (!positive) return predicate.parts.flatMap((part2) => partsOf(part2, requirement, false));
      if (predicate.parts.every(isAtom)) return [atom(predicate, requirement, true)];
      return either(predicate.parts, requirement, true);
    default:
      return [atom(predicate, requirement, positive)];
  }
}
function either(parts2, requirement, positive) {
  return [
    { kind: "either", alternatives: parts2.map((part2) => partsOf(part2, requirement, positive)) }
  ];
}
function isAtom(predicate) {
  if (predicate.kind !== "all") return !["any", "not"].includes(predicate.kind);
  const [first, second3] = predicate.parts;
  return first?.kind === "package" && second3?.kind === "version" && predicate.parts.length === 2;
}
function atom(predicate, requirement, positive) {
  const narrowed = asking(requirement, predicate);
  if (positive) return { kind: "some", requirement: narrowed };
  const meets = (entry) => matches(predicate, entry.bundle, entry.package);
  return { kind: "none", requirement: narrowed, meets };
}

// src/resolver/subscription.ts
function subscriptionCandidates(universe, subscription) {
  const installedCSV = subscription.installedCSV ?? "";
  const current2 = installedCSV === "" ? void 0 : universe.installed.entries.find(({ name: name3 }) => name3 === installedCSV);
  const startingCSV = current2 === void 0 ? subscription.startingCSV ?? "" : "";
  const { name: name2, package: packageName2, catalog, catalogNamespace } = subscription;
  const channel = subscription.channel ?? "";
  const catalogs2 = universe.subscribable({ name: catalog, namespace: catalogNamespace });
  const ofPackage = catalogs2.flatMap((it) => it.ofPackage(packageName2));
  const inChannel = ofPackage.filter((entry) => channel === "" || entry.channel === channel);
  const entries = inChannel.filter((entry) => startingCSV === "" || entry.name === startingCSV);
  const missing = catalogs2.every((it) => it.entries.length === 0) ? `no operators found from catalog ${catalog} in namespace ${catalogNamespace} referenced by subscription ${name2}` : ofPackage.length === 0 ? `no operators found in package ${packageName2} in the catalog referenced by subscription ${name2}` : inChannel.length === 0 ? `no operators found in channel ${channel} of package ${packageName2} in the catalog referenced by subscription ${name2}` : entries.length === 0 ? `no operators found with name ${startingCSV} in channel ${channel} of package ${packageName2} in the catalog referenced by subscription ${name2}` : void 0;
  if (missing !== void 0) return { subscription, missing, current: current2, upgrades: [] };
  const ordered = orderByChannel(universe, entries);
  const candidates = current2 === void 0 ? ordered : ordered.filter((entry) => upgrades(entry, current2));
  const stacks = candidates.map(
    (candidate) => entries.filter(({ name: it }) => it === candidate.name)
  );
  return { subscription, missing, current: current2, upgrades: stacks };
}
function upgrades(entry, current2) {
  const { version: version2 } = current2.bundle;
  return version2 !== void 0 && entry.skipRange?.(version2) === true || entry.replaces === current2.name || entry.skips.includes(current2.name);
}
function orderByChannel(universe, entries) {
  const sorted = entries.toSorted((a, b) => {
    if (a.inDefaultChannel !== b.inDefaultChannel) return a.inDefaultChannel ? -1 : 1;
    return a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0;
  });
  const runs = [];
  for (const entry of sorted) {
    const run = runs.at(-1);
    if (run?.[0]?.channel === entry.channel) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [sample] = run;
    const catalog = sample === void 0 ? void 0 : universe.catalog(sample.catalog);
    if (catalog === void 0) throw new ResolutionError("an entry outside every catalog");
    return catalog.order(run);
  });
}

// src/resolver/problem.ts
function buildProblem(universe, subscriptions, documents, waived = () => "keep") {
  const builder2 = new Builder(universe, documents, waived);
  const errors = builder2.reach(universe.installed.entries);
  if (errors.length > 0) throw aggregate(errors, builder2.places, builder2.remedies);
  for (const subscription of subscriptions) errors.push(...builder2.subscribe(subscription));
  if (universe.errors.length > 0) throw aggregate(universe.errors);
  if (errors.length > 0) throw aggregate(errors, builder2.places, builder2.remedies);
  return builder2.finish();
}
var Builder = class {
  constructor(universe, documents, waived) {
    this.universe = universe;
    this.documents = documents;
    this.waived = waived;
    this.numbers = new Int32Array(universe.size).fill(-1);
    this.visited = new Uint8Array(universe.size);
  }
  universe;
  documents;
  waived;
  meanings = [];
  list = new ConstraintList(this.meanings, (entry) => this.number(entry));
  /** Variables by the universe's slots; -1 for what is not reached. */
  numbers;
  visited;
  /** Lists of candidates that have all been visited: dependencies share them. */
  exhausted = /* @__PURE__ */ new Set();
  replaced = /* @__PURE__ */ new Map();
  subscribed = [];
  /** Subscriptions are chosen for before CSVs without subscription; OLM has no fixed order here. */
  anchors = [];
  lateAnchors = [];
  /** Sentences that say where errors came from. */
  places = [];
  remedies = [];
  /** Where the constraints of the entry at hand begin. */
  firstOfEntry = 0;
  /** Under the documented semantics: what no chosen bundle may meet while `subject` is chosen. */
  forbidden = [];
  /** Adds entries and whatever they can need; gives the errors on the way, in OLM's order. */
  reach(entries) {
    const errors = [];
    const stack = [...entries];
    for (let entry = stack.pop(); entry !== void 0; entry = stack.pop()) {
      const slot = this.universe.slot(entry);
      if (this.visited[slot] === 1) continue;
      this.visited[slot] = 1;
      const number2 = this.number(entry);
      this.firstOfEntry = this.list.constraints.length;
      const { bundle } = entry;
      if (entry.installed && entry.subscription === void 0) {
        this.lateAnchors.push(number2);
        this.add({ kind: "mandatory", subject: number2 }, { kind: "unsubscribed-csv", entry });
      }
      if (bundle.deprecated) {
        this.add({ kind: "prohibited", subject: number2 }, { kind: "deprecated", entry });
      }
      let asked;
      try {
        for (asked of bundle.requirements) asked.predicate();
      } catch (error) {
        const message = expected(error);
        errors.push(message);
        const remedy = asked && constraintRemedy(asked.property.value, message);
        if (remedy !== void 0) this.remedies.push(remedy);
        const hint = remedy === void 0 ? "" : ` What would help: ${remedy}.`;
        this.places.push(`The bundle is ${describeEntry(entry)}.${hint}`);
        continue;
      }
      for (const given of bundle.requirements) {
        const substitute = this.waived(entry, given);
        const requirement = substitute === "keep" ? given : substitute;
        if (requirement === void 0) continue;
        try {
          const candidates = this.require(number2, entry, requirement);
          if (!this.exhausted.has(candidates)) this.pushUnvisited(candidates, stack);
        } catch (error) {
          errors.push(expected(error));
          this.places.push(`The channel is looked at for a dependency of ${describeEntry(entry)}.`);
        }
      }
    }
    return errors;
  }
  pushUnvisited(candidates, stack) {
    const before = stack.length;
    for (const candidate of candidates) {
      if (this.visited[this.universe.slot(candidate)] !== 1) stack.push(candidate);
    }
    if (stack.length === before) this.exhausted.add(candidates);
  }
  subscribe(subscription) {
    const subject = this.meanings.push({ kind: "subscription", subscription }) - 1;
    this.anchors.push(subject);
    let found2;
    try {
      found2 = subscriptionCandidates(this.universe, subscription);
    } catch (error) {
      return [expected(error)];
    }
    this.subscribed.push(found2);
    this.add({ kind: "mandatory", subject }, { kind: "subscription-exists", subscription });
    if (found2.missing !== void 0) {
      const cause = { kind: "subscription-invalid", subscription, reason: found2.missing };
      this.add({ kind: "prohibited", subject }, cause);
      return [];
    }
    const { current: current2, upgrades: upgrades2 } = found2;
    const options = [];
    for (const stack of upgrades2) {
      const errors = this.reach(stack);
      if (errors.length > 0) return errors;
      options.push(...stack);
    }
    if (current2 !== void 0) {
      for (const entry of options) {
        this.replaced.set(entry.id, current2.name);
        this.add(
          { kind: "conflict", subject: this.number(entry), other: this.number(current2) },
          { kind: "replaces", entry, current: current2 }
        );
      }
      options.push(current2);
    }
    const candidates = [...new Set(options)].map((entry) => this.number(entry));
    this.add(
      { kind: "dependency", subject, candidates },
      { kind: "subscription-requires", subscription, candidates: options }
    );
    return [];
  }
  finish() {
    this.addInvariants();
    this.addForbidden();
    const { list: list2, meanings, replaced, subscribed, anchors } = this;
    return {
      variables: meanings.length,
      meanings,
      constraints: list2.constraints,
      causeOf: (index) => list2.causeOf(index),
      replaced,
      subscriptions: subscribed,
      anchors: [...anchors, ...this.lateAnchors]
    };
  }
  number(entry) {
    const slot = this.universe.slot(entry);
    const known2 = this.numbers[slot] ?? -1;
    if (known2 >= 0) return known2;
    const number2 = this.meanings.push({ kind: "entry", entry }) - 1;
    this.numbers[slot] = number2;
    for (const twin of this.universe.twins(entry) ?? []) {
      this.numbers[this.universe.slot(twin)] = number2;
    }
    return number2;
  }
  add(constraint, cause) {
    this.list.add(constraint, cause);
  }
  /** Gives the entries that may meet the requirement. */
  require(subject, owner, requirement) {
    if (!this.documents) {
      const entries = this.universe.preferred(requirement, owner.catalog);
      this.list.depend(subject, owner, requirement, entries, this.firstOfEntry);
      return entries;
    }
    return this.requireFormula(subject, owner, requirement, formulaParts(requirement));
  }
  requireFormula(subject, owner, requirement, parts2) {
    const reached = [];
    for (const part2 of parts2) {
      if (part2.kind === "some") {
        const entries = this.universe.preferred(part2.requirement, owner.catalog);
        this.list.depend(subject, owner, part2.requirement, entries, this.firstOfEntry);
        reached.push(...entries);
      } else if (part2.kind === "none") {
        this.forbidden.push({ subject, owner, formula: part2 });
      } else {
        const candidates = part2.alternatives.map((alternative2) => {
          const number2 = this.meanings.push({ kind: "alternative", owner, requirement }) - 1;
          reached.push(...this.requireFormula(number2, owner, requirement, alternative2));
          return number2;
        });
        this.add(
          { kind: "dependency", subject, candidates },
          { kind: "requires", entry: owner, requirement, candidates: [] }
        );
      }
    }
    return reached;
  }
  /** One provider per API, one operator per package. */
  addInvariants() {
    const apis = /* @__PURE__ */ new Map();
    const packages = /* @__PURE__ */ new Map();
    for (const meaning of this.meanings) {
      if (meaning.kind !== "entry" || !this.isUnambiguous(meaning.entry)) continue;
      const { entry } = meaning;
      for (const api2 of entry.bundle.apis) append2(apis, api2, entry);
      for (const { name: name2 } of entry.bundle.packages) append2(packages, name2, entry);
    }
    for (const [name2, entries] of packages) {
      this.atMostOne(entries, (members) => ({
        kind: "one-per-package",
        package: name2,
        entries: members
      }));
    }
    for (const [api2, entries] of apis) {
      const name2 = formatApiKey(api2);
      this.atMostOne(entries, (members) => ({ kind: "one-provider", api: name2, entries: members }));
    }
  }
  atMostOne(given, causeOf) {
    if (given.length <= 1) return;
    const entries = given.toSorted((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
    const cause = causeOf(entries);
    const members = /* @__PURE__ */ new Set();
    for (const entry of entries) {
      const number2 = this.number(entry);
      if (members.has(number2)) this.add({ kind: "prohibited", subject: number2 }, cause);
      members.add(number2);
    }
    if (members.size > 1) this.add({ kind: "at-most-one", members: [...members] }, cause);
  }
  addForbidden() {
    for (const { subject, owner, formula } of this.forbidden) {
      for (const [other, meaning] of this.meanings.entries()) {
        if (meaning.kind !== "entry" || !formula.meets(meaning.entry)) continue;
        const { entry } = meaning;
        const cause = {
          kind: "forbids",
          entry: owner,
          requirement: formula.requirement,
          other: entry
        };
        const constraint = other === subject ? { kind: "prohibited", subject } : { kind: "conflict", subject, other };
        this.add(constraint, cause);
      }
    }
  }
  /** Two entries of one id (packages of a catalog that share CSV and channel name) confuse OLM. */
  isUnambiguous(entry) {
    return this.universe.twins(entry) === void 0;
  }
};
function expected(error) {
  if (error instanceof ResolutionError || error instanceof ConstraintError) return error.message;
  throw error;
}
function append2(map2, key2, item) {
  const list2 = map2.get(key2);
  if (list2 === void 0) map2.set(key2, [item]);
  else list2.push(item);
}

// src/resolver/universe.ts
var Universe = class {
  /** `namespace`: the one that is resolved; its installed CSVs come first of all. */
  constructor(namespace, installed, catalogs2) {
    this.namespace = namespace;
    this.installed = installed;
    const all3 = [installed, ...catalogs2];
    this.byId = new Map(all3.map((catalog) => [catalog.id, catalog]));
    for (const catalog of all3) {
      const place = { catalog, offset: this.size, order: void 0, candidates: /* @__PURE__ */ new Map() };
      this.places.set(catalog.key, place);
      this.size += catalog.entries.length;
    }
  }
  namespace;
  installed;
  byId;
  /** By the key that a catalog's own entries carry, so that no text is made for each entry. */
  places = /* @__PURE__ */ new Map();
  lastKey;
  lastPlace;
  /** How many entries there are. */
  size = 0;
  catalog(key2) {
    return this.byId.get(catalogId(key2));
  }
  /** Why catalogs cannot be used, if any cannot. */
  get errors() {
    return [...this.byId.values()].flatMap(({ error }) => error ?? []);
  }
  /** The entries a subscription to this catalog can mean; a subscription without catalog means all. */
  subscribable(key2) {
    if (key2.name !== "" || key2.namespace !== "") {
      const catalog = this.catalog(key2);
      return catalog === void 0 ? [] : [catalog];
    }
    return [...this.byId.values()].sort(
      (a, b) => b.priority - a.priority || compare3(a.key.name, b.key.name)
    );
  }
  /** All that is visible: installed CSVs first. */
  entries() {
    return [...this.byId.values()].flatMap((catalog) => catalog.entries);
  }
  /** A number of its own for each entry, below {@link size}. */
  slot(entry) {
    return (this.placeOf(entry.catalog)?.offset ?? 0) + entry.position;
  }
  placeOf(key2) {
    if (key2 !== this.lastKey) {
      this.lastKey = key2;
      this.lastPlace = this.places.get(key2);
    }
    return this.lastPlace;
  }
  /** The entries of its catalog that share an entry's id; two packages can. Undefined when it is alone. */
  twins(entry) {
    return this.placeOf(entry.catalog)?.catalog.twins(entry);
  }
  /**
   * Entries that meet a dependency of a bundle of the catalog `own`, best first; the same list for the
   * same dependency.
   *
   * @throws ConstraintError, ResolutionError
   */
  preferred(requirement, own2) {
    const place = this.placeOf(own2);
    const several = place?.candidates.get(requirement);
    if (several !== void 0) return several;
    let found2 = none3;
    let isCopy = false;
    for (const catalog of this.catalogOrder(own2, place)) {
      const list2 = catalog.preferred(requirement);
      if (list2.length === 0) continue;
      isCopy = found2.length > 0;
      found2 = isCopy ? [...found2, ...list2] : list2;
    }
    if (isCopy) place?.candidates.set(requirement, found2);
    return found2;
  }
  /** Installed CSVs, the dependent's own catalog, priority, the namespace's own catalogs, name. */
  catalogOrder(own2, place) {
    if (place?.order !== void 0) return place.order;
    const key2 = catalogId(own2);
    const rank2 = (catalog) => catalog.id === `${existing}/${this.namespace}` ? 0 : catalog.id === key2 ? 1 : 2;
    const local = (catalog) => catalog.key.namespace === this.namespace ? 0 : 1;
    const order4 = [...this.byId.values()].sort(
      (a, b) => rank2(a) - rank2(b) || b.priority - a.priority || local(a) - local(b) || compare3(a.key.name, b.key.name)
    );
    if (place !== void 0) place.order = order4;
    return order4;
  }
};
var none3 = [];
function compare3(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// src/resolver/resolve.ts
function loadCatalogs(states, semantics = "olm") {
  const requirements = new Requirements(semantics);
  return { requirements, catalogs: states.map((state2) => loadCatalog(state2, requirements)) };
}
function resolve(state2, loaded2 = loadCatalogs(state2.catalogs ?? [], state2.semantics ?? "olm"), options = {}) {
  let universe;
  try {
    universe = universeOf(state2, loaded2, options.shown);
    const subscriptions = subscriptionsOf(state2);
    const documents = loaded2.requirements.semantics === "documents";
    const problem = buildProblem(universe, subscriptions, documents, options.waived);
    const solution = solve(problem, options.budget ?? conflictBudget);
    switch (solution.kind) {
      case "solution":
        return {
          outcome: succeed(state2, universe, problem, solution),
          problem,
          solution,
          universe
        };
      case "contradiction": {
        const core2 = minimiseCore(problem, solution.core);
        return { outcome: fail2(problem, core2), problem, solution, core: core2, universe };
      }
      case "gave-up":
        return { outcome: giveUp(solution.conflicts), problem, solution, universe };
    }
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    const outcome = {
      ok: false,
      installPlan: [],
      error: error.message,
      errorKind: "ErrorPreventedResolution",
      failureReasons: []
    };
    const { places, remedies } = error;
    const stopped = { outcome, places, remedies };
    return universe === void 0 ? stopped : { ...stopped, universe };
  }
}
function subscriptionsOf({ namespace, subscriptions }) {
  return (subscriptions ?? []).filter((subscription) => subscription.namespace === namespace).sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
var excludeGlobal = "olm.operatorframework.io/exclude-global-namespace-resolution";
function universeOf(state2, loaded2, shown) {
  const { namespace } = state2;
  const groups2 = (state2.operatorGroups ?? []).filter((group2) => group2.namespace === namespace);
  const [group] = groups2;
  if (group === void 0 || groups2.length > 1) {
    throw new ResolutionError(`expected 1 OperatorGroup in the namespace, found ${groups2.length}`);
  }
  const annotations = new Map(Object.entries(group.annotations ?? {}));
  const namespaces = /* @__PURE__ */ new Set([namespace]);
  if (annotations.get(excludeGlobal) !== "true") namespaces.add(state2.globalCatalogNamespace);
  const installed = loadInstalled(state2, loaded2.requirements);
  const visible = loaded2.catalogs.filter(
    (catalog) => catalog === shown || namespaces.has(catalog.key.namespace)
  );
  return new Universe(namespace, installed, visible);
}
function succeed(state2, universe, problem, solution) {
  const chosen = solution.picks.flatMap(({ variable }) => {
    const meaning = problem.meanings[variable];
    return meaning?.kind === "entry" && !meaning.entry.installed ? [meaning.entry] : [];
  }).sort((a, b) => compare4(a.name, b.name) || compare4(a.id, b.id));
  const ambiguous = chosen.map((entry) => universe.twins(entry)?.length ?? 1).filter((count) => count !== 1);
  if (ambiguous.length > 0) {
    throw aggregate(ambiguous.map((count) => `expected exactly one operator, got ${count}`));
  }
  const subscriptions = subscriptionsOf(state2);
  const running = new Set(
    (state2.installedCSVs ?? []).filter(({ namespace }) => namespace === state2.namespace).map(({ name: name2 }) => name2)
  );
  const currentCsv = new Map(subscriptions.map((it) => [it, it.currentCSV ?? ""]));
  const installPlan = [];
  const newSubscriptions = [];
  const updatedSubscriptions = [];
  for (const entry of chosen) {
    const matching2 = subscriptions.filter((subscription) => means(subscription, entry));
    const upToDate = matching2.every((it) => {
      const current2 = currentCsv.get(it) ?? "";
      return current2 === entry.name && running.has(current2);
    });
    if (matching2.length > 0 && upToDate) continue;
    installPlan.push(planned3(entry, problem));
    if (matching2.length === 0) newSubscriptions.push(subscriptionFor(entry));
    for (const subscription of matching2) {
      if (currentCsv.get(subscription) === entry.name) continue;
      currentCsv.set(subscription, entry.name);
      updatedSubscriptions.push({ name: subscription.name, currentCSV: entry.name });
    }
  }
  return {
    ok: true,
    resolved: chosen.map((entry) => planned3(entry, problem)),
    installPlan,
    newSubscriptions: newSubscriptions.sort((a, b) => compare4(a.name, b.name)),
    updatedSubscriptions: updatedSubscriptions.sort((a, b) => compare4(a.name, b.name))
  };
}
function means(subscription, entry) {
  const { catalog, catalogNamespace } = subscription;
  const channel = subscription.channel ?? "";
  return subscription.package === entry.package && (channel === "" || channel === entry.channel) && (catalog === "" && catalogNamespace === "" || catalog === entry.catalog.name && catalogNamespace === entry.catalog.namespace);
}
function planned3(entry, problem) {
  const replaces = problem.replaced.get(entry.id) ?? entry.replaces;
  return {
    name: entry.name,
    package: entry.package,
    channel: entry.channel,
    catalog: entry.catalog.name,
    catalogNamespace: entry.catalog.namespace,
    ...replaces === "" ? {} : { replaces }
  };
}
function subscriptionFor({ name: name2, package: packageName2, channel, catalog }) {
  return {
    name: [packageName2, channel, catalog.name, catalog.namespace].join("-"),
    package: packageName2,
    channel,
    catalog: catalog.name,
    catalogNamespace: catalog.namespace,
    startingCSV: name2
  };
}
function fail2(problem, core2) {
  const causes = new Set(core2.flatMap((index) => problem.causeOf(index) ?? []));
  const failureReasons = [...causes].map(reasonText).sort(compare4);
  return {
    ok: false,
    installPlan: [],
    error: `constraints not satisfiable: ${failureReasons.join(", ")}`,
    errorKind: "ConstraintsNotSatisfiable",
    failureReasons
  };
}
function giveUp(conflicts) {
  return {
    ok: false,
    installPlan: [],
    error: `gave up after ${conflicts} conflicts`,
    errorKind: "GaveUp",
    failureReasons: []
  };
}
function compare4(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// bench/resolve-namespaces.ts
function layeredNamespace(packages, bundles) {
  const layers = 10;
  const width = Math.ceil(packages / layers);
  return namespaceOf(packages, bundles, Math.min(width, packages), (index, version2) => {
    const layer = Math.floor(index / width);
    if (layer === layers - 1) return [];
    const below = (offset) => Math.min(packages - 1, (layer + 1) * width + (index + offset) % width);
    return [
      needsPackage(below(0), `>=1.0.${Math.floor(version2 / 2)}`),
      needsPackage(below(1), `>=1.0.${Math.floor(version2 / 3)} <1.1.0`),
      needsApi(below(2))
    ];
  });
}
function namespaceOf(packages, bundles, subscribed, dependencies) {
  return {
    namespace: "operators",
    globalCatalogNamespace: "olm",
    operatorGroups: [{ name: "all", namespace: "operators" }],
    subscriptions: Array.from({ length: subscribed }, (_, index) => ({
      name: packageName(index),
      namespace: "operators",
      package: packageName(index),
      channel: "stable",
      catalog: "large",
      catalogNamespace: "olm"
    })),
    catalogs: [
      {
        name: "large",
        namespace: "olm",
        packages: Array.from({ length: packages }, (_, index) => ({
          name: packageName(index),
          defaultChannel: "stable",
          channels: [
            {
              name: "stable",
              entries: Array.from({ length: bundles }, (_2, version2) => ({
                name: csvName(index, version2),
                ...version2 === 0 ? {} : { replaces: csvName(index, version2 - 1) }
              }))
            }
          ],
          bundles: Array.from({ length: bundles }, (_2, version2) => ({
            name: csvName(index, version2),
            version: `1.0.${version2}`,
            properties: [
              {
                type: "olm.package",
                value: { packageName: packageName(index), version: `1.0.${version2}` }
              },
              { type: "olm.gvk", value: api(index) },
              ...dependencies(index, version2)
            ]
          }))
        }))
      }
    ]
  };
}
var packageName = (index) => `operator-${index}`;
var csvName = (index, version2) => `operator-${index}.v1.0.${version2}`;
var api = (index) => ({
  group: `group-${index}.example.com`,
  version: "v1",
  kind: "Resource"
});
function needsPackage(index, versionRange) {
  return {
    type: "olm.package.required",
    value: { packageName: packageName(index), versionRange }
  };
}
function needsApi(index) {
  return { type: "olm.gvk.required", value: api(index) };
}

// bench/zy.ts
var { catalogs, ...state } = layeredNamespace(1500, 20);
var loaded = loadCatalogs(catalogs ?? []);
var t = [];
for (let i = 0; i < Number(process.argv[2] ?? 17); i++) {
  globalThis.gc?.();
  const h0 = process.memoryUsage();
  const s = process.cpuUsage();
  const kept = resolve(state, loaded);
  const h1 = process.memoryUsage();
  globalThis.gc?.();
  const h2 = process.memoryUsage();
  console.log("alloc", ((h1.heapUsed - h0.heapUsed) / 1e6).toFixed(1), "ext", ((h1.arrayBuffers - h0.arrayBuffers) / 1e6).toFixed(1), "kept", ((h2.heapUsed - h0.heapUsed) / 1e6).toFixed(1), ((h2.arrayBuffers - h0.arrayBuffers) / 1e6).toFixed(1), kept.outcome.ok, h0.heapUsed / 1e6);
  const { user, system } = process.cpuUsage(s);
  t.push((user + system) / 1e3);
}
console.log(t.map((x) => x.toFixed(0)).join(" "), "median", t.slice(2).sort((a, b) => a - b)[Math.floor((t.length - 2) / 2)]?.toFixed(1), "rss", process.resourceUsage().maxRSS / 1024);

/**
 * Checks the types of the console's modules, with the TypeScript compiler.
 *
 * What a browser loads has little room for comments, so that the types of most parameters are here:
 *
 * - declared.core.ts and declared.pages.ts have those of whole functions and variables, by module;
 * - otherwise a parameter is what its name says: `row` is a Row if named.js has such a type for the module, and `rows` are many of them; else
 *   it is what the interface Names has for `row`. What is taken apart, such as `{ nodeGroup, taskId }`, has these names as fields.
 * - a path`/jobs/${group}` leads to what the API's document has at /jobs/{}.
 *
 * They are put into the text that the compiler reads, and nowhere else.
 */

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NAMED } from './named.js';
import ts from '../../target/check/node_modules/typescript/lib/typescript.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const WEB = join(HERE, '../main/resources/io/millrace/console/web');
const NAMES = namesOf(membersOf('names.ts', 'Names'));
const OF_A_VISIT = namesOf(membersOf('types.ts', 'Visit'));

/** By module, the names of what the declarations have a type for. */
const DECLARED = new Map(
  ['declared.core.ts', 'declared.pages.ts'].flatMap((path) => [...membersOf(path, 'Declared')]).map(({ name, type }) => [name.text, namesOf(type.members)]),
);

/** What a page has that is a function of a visit. */
const OF_A_PAGE = new Set(['title', 'every', 'zone', 'load']);

/** Something that the compiler found to be of type any, because nothing says what it is. */
const NOT_TYPED = new Set([7006, 7031]);

/** Whether only visits of pages have what is taken out by this element. */
const isOfVisits = (element, key) => ['data', 'query', 'ui'].includes(key) || (key === 'params' && ts.isObjectBindingPattern(element.name));

function membersOf(path, name) {
  const file = ts.createSourceFile(path, readFileSync(join(HERE, path), 'utf8'), ts.ScriptTarget.Latest);
  return file.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name).members;
}

function namesOf(members) {
  return new Set(members.map((member) => member.name.text));
}

/** A module, and what was put into it: of [place in the file, text], in order. */
class Module {
  constructor(path) {
    this.name = relative(WEB, path);
    this.text = readFileSync(path, 'utf8');
    this.declared = DECLARED.get(this.name) ?? new Set();
    this.named = NAMED[this.name] ?? {};
    this.file = ts.createSourceFile(path, this.text, ts.ScriptTarget.Latest, true);
    this.added = Object.entries(this.named).map(([name, type]) => [0, `/** @typedef {${type}} ${name} */\n`]);
    this.said = new Set();
    this.annotated = new Set();
  }

  add(place, text) {
    this.added.push([place, text]);
  }

  get woven() {
    const sorted = [...this.added].sort(([a], [b]) => a - b);
    let at = 0;
    let whole = '';
    for (const [place, text] of sorted) {
      whole += this.text.slice(at, place) + text;
      at = place;
    }
    return whole + this.text.slice(at);
  }

  /** The place in the file of a place in the woven text; null for one in what was put in. */
  placeOf(woven) {
    let shift = 0;
    for (const [place, text] of [...this.added].sort(([a], [b]) => a - b)) {
      if (woven < place + shift) {
        break;
      }
      if (woven < place + shift + text.length) {
        return null;
      }
      shift += text.length;
    }
    return woven - shift;
  }

  /** The type that a name stands for; undefined if it stands for none. */
  typeOf(name) {
    const own = name[0].toUpperCase() + name.slice(1);
    if (own in this.named) {
      return own;
    }
    if (own.endsWith('s') && own.slice(0, -1) in this.named) {
      return `${own.slice(0, -1)}[]`;
    }
    return NAMES.has(name) ? `Names['${name}']` : undefined;
  }

  /** The type of what is taken apart; undefined if it has a field whose name stands for none. */
  typeOfPattern(pattern, isLoad) {
    if (!ts.isObjectBindingPattern(pattern) || pattern.elements.some((each) => each.dotDotDotToken)) {
      return undefined;
    }
    const keyOf = (element) => (element.propertyName ?? element.name).text;
    if (pattern.elements.every((element) => OF_A_VISIT.has(keyOf(element))) && pattern.elements.some((element) => isOfVisits(element, keyOf(element)))) {
      return isLoad ? 'Loading' : this.typeOf('page');
    }
    const fields = pattern.elements.map((element) => this.fieldOf(element, keyOf(element)));
    return fields.includes(undefined) ? undefined : fields.join(' & ');
  }

  fieldOf(element, key) {
    const type = this.typeOf(key);
    if (type === `Names['${key}']`) {
      const field = `Pick<Names, '${key}'>`;
      return element.initializer ? `Partial<${field}>` : field;
    }
    const of = type ?? (ts.isIdentifier(element.name) ? undefined : this.typeOfPattern(element.name));
    return of && `{ ${key}${element.initializer ? '?' : ''}: ${of} }`;
  }

  /** The type of a parameter by its name, or by the names in it; undefined if they stand for none. */
  typeOfParameter({ name, parent }, isLoad) {
    if (ts.isIdentifier(name)) {
      return isLoad && name.text === 'page' ? 'Loading' : this.typeOf(name.text);
    }
    const member = ts.isPropertyAssignment(parent.parent) ? parent.parent.name.text : undefined;
    if (OF_A_PAGE.has(member)) {
      return member === 'load' ? 'Loading' : this.typeOf('page');
    }
    return this.typeOfPattern(name, isLoad);
  }

  /** Says of what type a parameter is, if its name does; whether it does. */
  annotate(parameter, isLoad = false) {
    if (this.annotated.has(parameter) || parameter.dotDotDotToken || ts.getJSDocType(parameter)) {
      return false;
    }
    const type = this.typeOfParameter(parameter, isLoad);
    if (type === undefined) {
      return false;
    }
    this.annotated.add(parameter);
    this.add(parameter.name.getStart(), `/** @type {${type}} */ `);
    return true;
  }

  /** What is declared by itself: there is nothing around it that says what its parameters are. */
  annotateDeclared() {
    const visit = (node) => {
      if (node.parent === this.file) {
        this.declareAt(node);
      }
      if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isSetAccessor(node) || ts.isConstructorDeclaration(node)) {
        this.annotateAll(node, node);
      } else if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)) {
        this.annotateAll(node.initializer, node.parent.parent);
      } else if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'path') {
        this.annotatePath(node);
      }
      ts.forEachChild(node, visit);
    };
    visit(this.file);
  }

  /** Says what a function or variable is, if a declaration does. */
  declareAt(node) {
    const named = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
    const name = named.name?.text;
    if (this.declared.delete(name)) {
      this.said.add(node);
      this.add(node.getStart(), `/** @type {Declared['${this.name}']['${name}']} */ `);
    }
  }

  annotateAll(declared, host) {
    if (declared.parameters.length === 0 || this.said.has(host) || ts.getJSDocTypeTag(host)) {
      return;
    }
    const name = (host === declared ? declared.name : declared.parent.name)?.getText();
    declared.parameters.forEach((parameter) => this.annotate(parameter, name === 'load'));
    // Without such a tag the compiler takes every parameter of a function for one that may be left out.
    const { jsDoc = [] } = host;
    const doc = jsDoc.at(-1);
    if (!doc?.tags?.some(ts.isJSDocParameterTag)) {
      this.add(doc ? doc.end - 2 : host.getStart(), doc ? '\n@param _\n' : '/** @param _ */ ');
    }
  }

  annotatePath(node) {
    const { template } = node;
    const parts = ts.isTemplateExpression(template)
      ? [template.head.text, ...template.templateSpans.map((span) => span.literal.text)]
      : [template.text];
    this.add(node.getStart(), `/** @type {Path<'${parts.join('{}')}'>} */ (`);
    this.add(node.end, ')');
  }

  /** What the compiler could not make out from what is around it; whether there was any whose name says it. */
  annotateAt(places) {
    let isAny = false;
    const visit = (node) => {
      if (ts.isParameter(node) && [...places].some((place) => node.getStart() <= place && place < node.end)) {
        isAny = this.annotate(node) || isAny;
      }
      ts.forEachChild(node, visit);
    };
    visit(this.file);
    return isAny;
  }
}

const { config } = ts.readConfigFile(join(HERE, 'tsconfig.json'), ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, HERE);
const modules = new Map(
  fileNames.filter((name) => name.endsWith('.js')).map((name) => [ts.sys.resolvePath(name), new Module(name)]),
);
const host = ts.createCompilerHost(options);
const kept = new Map();

host.getSourceFile = (name, version) => {
  const module = modules.get(ts.sys.resolvePath(name));
  const text = module?.woven ?? ts.sys.readFile(name);
  if (text === undefined) {
    return undefined;
  }
  if (kept.get(name)?.text !== text) {
    kept.set(name, ts.createSourceFile(name, text, version, true));
  }
  return kept.get(name);
};

let program;

function check() {
  program = ts.createProgram({ rootNames: fileNames, options, host, oldProgram: program });
  return [...errors, ...ts.getPreEmitDiagnostics(program)];
}

function annotateUntyped(found) {
  const places = new Map();
  for (const { code, file, start } of found) {
    const module = file && modules.get(ts.sys.resolvePath(file.fileName));
    const place = NOT_TYPED.has(code) && module ? module.placeOf(start) : null;
    if (place !== null) {
      places.set(module, new Set([...(places.get(module) ?? []), place]));
    }
  }
  return [...places].map(([module, of]) => module.annotateAt(of)).some(Boolean);
}

function lineOf({ file, start, code, messageText }) {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n  ');
  if (!file) {
    return `TS${code}: ${text}`;
  }
  const module = modules.get(ts.sys.resolvePath(file.fileName));
  const place = module ? module.placeOf(start) : start;
  if (place === null) {
    return code === 8024 ? null : `${relative(process.cwd(), file.fileName)} TS${code}: ${text}`;
  }
  const { line, character } = ts.getLineAndCharacterOfPosition(module ? module.file : file, place);
  return `${relative(process.cwd(), file.fileName)}:${line + 1}:${character + 1} TS${code}: ${text}`;
}

modules.forEach((module) => module.annotateDeclared());
const unknown = [...DECLARED].flatMap(([module, names]) => [...names].map((name) => `declared: ${module} has no ${name}`));
let found = check();
for (let again = 0; again < 3 && annotateUntyped(found); again++) {
  found = check();
}
const lines = [...found.map(lineOf).filter((line) => line !== null), ...unknown];
lines.forEach((line) => console.error(line));
console.log(`types: ${modules.size} modules, ${lines.length} faults`);
process.exitCode = lines.length > 0 ? 1 : 0;

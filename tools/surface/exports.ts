import ts from 'typescript'
import { INPUT, OPTIONAL } from './surface.ts'

const PRINTER = ts.createPrinter({ removeComments: true })
/** Maximum length of the text of an inferred type; longer ones are file formats, listed as `format`. */
const TEXT_MAX = 500

/**
 * Returns the exports of each module: functions with their parameters, values with their types, and the members of each class
 * and type of this package that these name, as `type NAME.MEMBER`.
 *
 * @param modules the file of each module, by the name of its import.
 * @param isOurs returns true if a file belongs to this package.
 */
export function exportsOf(modules: Readonly<Record<string, string>>, isOurs: (file: string) => boolean) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram(Object.values(modules), options)
  const checker = program.getTypeChecker()
  const surface: Record<string, string> = {}
  const listed = new Set<ts.Symbol>()
  /** Types of parameters: callers create their values, so a new required member breaks callers. */
  const inputs = new Set<ts.Symbol>()

  const all = Object.entries(modules).flatMap(([name, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new RangeError(`${file} is no module`)
    return checker
      .getExportsOfModule(module)
      .map((each) => [`export ${name} ${each.name}`, target(each)] as const)
  })
  const functions = all.flatMap(([key, symbol]) =>
    (symbol.declarations ?? []).filter(ts.isFunctionDeclaration).map((node) => ({ key, node })),
  )
  for (const { type } of functions.flatMap(({ node }) => node.parameters)) {
    const named = type && ts.isTypeReferenceNode(type) && checker.getSymbolAtLocation(type.typeName)
    // A type inferred from a schema is a file format, and its fields are listed as such.
    if (named && target(named).flags & ts.SymbolFlags.Interface) inputs.add(target(named))
  }
  for (const [key, symbol] of all) {
    const named = ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias
    if (symbol.flags & named) surface[key] = `type ${list(symbol)}`
    else if (!(symbol.flags & ts.SymbolFlags.Function)) surface[key] = textOf(symbol)
  }
  for (const { key, node } of functions) {
    surface[key] = `returns ${node.type === undefined ? 'what it returns' : written(node.type)}`
    for (const [position, parameter] of node.parameters.entries()) {
      const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined
      const text = parameter.type === undefined ? 'any' : written(parameter.type)
      surface[`${key}.${position}`] = `${INPUT}${text}${isOptional ? OPTIONAL : ''}`
    }
  }
  return surface

  function target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  /** Lists the members of a class or type, or the values of a union of literals, once. */
  function list(symbol: ts.Symbol): string {
    const key = `type ${symbol.name}`
    if (listed.has(symbol)) return symbol.name
    listed.add(symbol)
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const literals = type.isUnion() ? type.types.filter((each) => each.isLiteral()) : []
    if (type.isUnion() && literals.length === type.types.length) {
      surface[key] = 'one of'
      for (const each of literals) surface[`${key} = ${checker.typeToString(each)}`] = 'a value'
    } else if (type.getFlags() & ts.TypeFlags.Object) {
      surface[key] = 'members'
      for (const each of type.getProperties().filter(isPublic)) {
        const optional = each.flags & ts.SymbolFlags.Optional ? OPTIONAL : ''
        surface[`${key}.${each.name}`] = `${inputs.has(symbol) ? INPUT : ''}${textOf(each)}${optional}`
      }
    } else {
      const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration)
      surface[key] = alias === undefined ? 'a type' : written(alias.type)
    }
    return symbol.name
  }

  /** Returns the type of a value or member: as written, or as inferred by the checker. */
  function textOf(symbol: ts.Symbol): string {
    const declared = symbol.declarations?.find(
      (each) =>
        ts.isPropertySignature(each) || ts.isPropertyDeclaration(each) || ts.isVariableDeclaration(each),
    )
    if (declared?.type !== undefined) return written(declared.type)
    const type = checker.getTypeOfSymbol(symbol)
    const parsed = type.getProperty('_output')
    const shown = parsed === undefined ? type : checker.getTypeOfSymbol(parsed)
    const text = checker.typeToString(shown, undefined, ts.TypeFormatFlags.NoTruncation)
    return text.length > TEXT_MAX ? 'as its format' : text.replace(/ \| undefined$/, '')
  }

  /** Returns the text of a type, and lists the types of this package that it names. */
  function written(node: ts.TypeNode): string {
    const visit = (each: ts.Node): void => {
      const symbol = ts.isTypeReferenceNode(each) ? checker.getSymbolAtLocation(each.typeName) : undefined
      const of = symbol && target(symbol)
      if (
        of &&
        !(of.flags & ts.SymbolFlags.TypeParameter) &&
        isOurs(of.declarations?.[0]?.getSourceFile().fileName ?? '')
      )
        list(of)
      ts.forEachChild(each, visit)
    }
    visit(node)
    return PRINTER.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, ' ')
  }
}

const isPublic = (member: ts.Symbol): boolean =>
  !member.name.startsWith('__') &&
  !(
    member.valueDeclaration && ts.getCombinedModifierFlags(member.valueDeclaration) & ts.ModifierFlags.Private
  )

import { parseExpression } from '../../engine/expression/parseExpression'
import type { BlockImporter, ImportContext, MappedBlock, NotMapped } from '../../engine/interop/importer'
import { clip, fieldsOf, textOf } from '../../engine/interop/typebot/fields'
import { noteOthers } from '../../engine/interop/typebot/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicPart, type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { parseNumber } from '../../engine/values/rules'
import type { SystemVariableName } from '../../engine/values/systemVariables'
import type { SetVariableData } from './schema'

/** Set variable: texts, variables, calculations, lists that grow and shrink, emptying, times, and what is known of the visitor. */
export const setVariableFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Set variable'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, KNOWN, context)
    const variableId = context.variable(options.variableId)
    const type = textOf(options.type) || 'Custom'
    const as = (mode: SetVariableData['mode'], value = staticValue(''), takeTo: string | null = null) =>
      mapped({ variableId, mode, value, takeTo })
    const system = SYSTEM.get(type)
    if (system) return as('set', { type: 'dynamic', parts: [variablePart(`sys_${system}`)] })
    switch (type) {
      case 'Custom':
        return mapExpression(variableId, textOf(options.expressionToEvaluate).trim(), options.isCode, context)
      case 'Empty':
        return as('clear')
      case 'Now':
      case 'Today':
        return as('now')
      case 'Tomorrow':
        return as('expression', staticValue('addDays(now(), 1)'))
      case 'Yesterday':
        return as('expression', staticValue('addDays(now(), -1)'))
      case 'Moment of the day':
        return as('expression', staticValue('timeOfDay(now())'))
      case 'Random ID':
        return as('random')
      case 'Append value(s)':
        // the product makes a list of what it appends to: here a list grows, and text is lengthened
        if (variableId) context.startWith(variableId, [])
        return as('append', context.text(options.item, caps.setVariable))
      case 'Shift':
        return as('take-first', staticValue(''), context.variable(options.saveItemInVariableId))
      case 'Pop':
        return as('take-last', staticValue(''), context.variable(options.saveItemInVariableId))
      case 'Map item with same index':
        return as('expression', lookup(fieldsOf(options.mapListItemParams), context))
      default:
        return { notMapped: `The value '${clip(type, 60)}' has no counterpart here.` }
    }
  },
}

const KNOWN = [
  'variableId',
  'type',
  'expressionToEvaluate',
  'item',
  'isCode',
  'isExecutedOnClient',
  'saveItemInVariableId',
  'mapListItemParams',
]

const SYSTEM = new Map<string, SystemVariableName>([
  ['User ID', 'user_id'],
  ['Result ID', 'conversation_id'],
  ['Environment name', 'channel'],
  ['Phone number', 'contact_phone'],
  ['Contact name', 'contact_name'],
])

const variablePart = (variableId: string): DynamicPart => ({ type: 'variable', variable_id: variableId })

function lookup(params: Record<string, unknown>, context: ImportContext): DynamicValue {
  const names = ['baseItemVariableId', 'baseListVariableId', 'targetListVariableId']
  const values = names.map((name): DynamicPart => {
    const variableId = context.variable(params[name])
    return variableId === null ? { type: 'text', text: 'null' } : variablePart(variableId)
  })
  const parts = values.flatMap((value, index) => [
    { type: 'text' as const, text: index === 0 ? 'lookup(' : ', ' },
    value,
  ])
  return { type: 'dynamic', parts: [...parts, { type: 'text', text: ')' }] }
}

const mapped = (data: SetVariableData): MappedBlock => ({ data, ports: { default: 'next' } })

/** In older files any text may be JavaScript, and what does not run as such is a text: so what reads like code is told apart. */
function mapExpression(
  variableId: string | null,
  expression: string,
  isCode: unknown,
  context: ImportContext,
): MappedBlock | NotMapped {
  const as = (mode: SetVariableData['mode'], value: DynamicValue) => mapped({ variableId, mode, value, takeTo: null })
  if (expression === '') return as('clear', staticValue(''))
  const step = isCode === false ? null : stepOf(expression, variableId, context)
  if (step) return as('increment', step)
  const quoted = isCode === false ? null : QUOTED.exec(expression)
  const text = quoted ? (quoted[2] ?? '') : expression
  const calculation = quoted || isCode === false || LITERAL.test(text) ? null : calculationOf(text, context)
  const isChoice = calculation !== null && /\?.*:/.test(text)
  if (!quoted && isCode !== false && (isCode === true ? !LITERAL.test(text) : looksLikeCode(text) || isChoice)) {
    return calculation ? as('expression', calculation) : { notMapped: 'Its value is computed by code.' }
  }
  return as('set', context.text(text, caps.setVariable))
}

/** JavaScript that says no more than an expression here can say, as one; null for what can't be said. */
function calculationOf(code: string, context: ImportContext): DynamicValue | null {
  const bare = code
    .replace(/^return\b/, '')
    .replace(/;\s*$/, '')
    .replace(/\bnew Date\(\)\.getFullYear\(\)/g, 'year(now())')
    .replace(/\bnew Date\(\)(\.toISOString\(\))?(?!\s*\.)/g, 'now()')
    .trim()
  if (bare === '' || bare.length > caps.setVariable) return null
  const value = context.text(bare, caps.setVariable)
  return parseExpression(value).ok ? value : null
}

const QUOTED = /^(["'])([^"'\\\n`]*)\1$/
const VARIABLE = /\{\{[^{}]*\}\}/g
const LITERAL = /^(\{\{[^{}]*\}\}|[+-]?\d+(\.\d+)?)$/

/** `{{Score}} + 5` on the variable Score itself counts up by 5, `- 5` down; by another variable's value too. */
function stepOf(expression: string, variableId: string | null, context: ImportContext): DynamicValue | null {
  const [, first = '', sign, second = ''] = COUNT.exec(expression) ?? []
  if (!variableId) return null
  if (sign === '+' && isVariable(second, variableId, context) && !isVariable(first, variableId, context)) {
    return stepValue(first, '+', context)
  }
  return sign && isVariable(first, variableId, context) ? stepValue(second, sign, context) : null
}

const OPERAND = String.raw`(\{\{[^{}]*\}\}|\d+(?:\.\d+)?)`
const COUNT = new RegExp(`^${OPERAND}\\s*([+-])\\s*${OPERAND}$`)

function stepValue(operand: string, sign: string, context: ImportContext): DynamicValue | null {
  if (!operand.startsWith('{{'))
    return parseNumber(operand) === null ? null : staticValue(sign === '-' ? `-${operand}` : operand)
  return sign === '+' ? context.text(operand, caps.setVariable) : null
}

function isVariable(operand: string, variableId: string, context: ImportContext): boolean {
  if (!operand.startsWith('{{')) return false
  const value = context.text(operand, caps.setVariable)
  const only = value.type === 'dynamic' && value.parts.length === 1 ? value.parts[0] : undefined
  return only?.type === 'variable' && only.variable_id === variableId
}

function looksLikeCode(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return false
  const bare = text.replace(VARIABLE, '0').trim()
  const arithmetic = /^[\d\s.()+*/%-]+$/.test(bare) && /\d\s*[+*/%-]\s*[(\d]/.test(bare)
  return (
    arithmetic ||
    /[{};`]|=>|===?|&&|\|\||\breturn\b|\bnew [A-Z]|\w\.\w+\(|\.length\b|\b(Math|JSON|Date|String|Number|parseInt|parseFloat)\b\s*[.(]/.test(
      bare,
    )
  )
}

import type { BlockImporter, ImportContext, MappedBlock, NotMapped } from '../../engine/interop/importer'
import { clip, fieldsOf, textOf } from '../../engine/interop/typebot/fields'
import { noteOthers } from '../../engine/interop/typebot/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { parseNumber } from '../../engine/values/rules'
import type { SetVariableData } from './schema'

/** Set variable: plain texts, variables, counting up and down, lists that grow, emptying, the time and random ids. */
export const setVariableFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Set variable'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, ['variableId', 'type', 'expressionToEvaluate', 'item', 'isCode'], context)
    const variableId = context.variable(options.variableId)
    const type = textOf(options.type) || 'Custom'
    const as = (mode: SetVariableData['mode'], value = staticValue('')) => mapped({ variableId, mode, value })
    switch (type) {
      case 'Custom':
        return mapExpression(variableId, textOf(options.expressionToEvaluate).trim(), options.isCode, context)
      case 'Empty':
        return as('clear')
      case 'Now':
      case 'Today':
        return as('now')
      case 'Random ID':
        return as('random')
      case 'Append value(s)':
        // the product makes a list of what it appends to: here a list grows, and text is lengthened
        if (variableId) context.startWith(variableId, [])
        return as('append', context.text(options.item, caps.setVariable))
      default:
        return { notMapped: `The value '${clip(type, 60)}' has no counterpart here.` }
    }
  },
}

const mapped = (data: SetVariableData): MappedBlock => ({ data, ports: { default: 'next' } })

/** In older files any text may be JavaScript, and what does not run as such is a text: so what reads like code is kept apart. */
function mapExpression(
  variableId: string | null,
  expression: string,
  isCode: unknown,
  context: ImportContext,
): MappedBlock | NotMapped {
  if (expression === '') return mapped({ variableId, mode: 'clear', value: staticValue('') })
  const step = isCode === false ? null : stepOf(expression, variableId, context)
  if (step) return mapped({ variableId, mode: 'increment', value: step })
  const quoted = isCode === false ? null : QUOTED.exec(expression)
  const text = quoted ? (quoted[2] ?? '') : expression
  if (!quoted && isCode !== false && (isCode === true ? !LITERAL.test(text) : looksLikeCode(text))) {
    return { notMapped: 'Its value is computed by code.' }
  }
  return mapped({ variableId, mode: 'set', value: context.text(text, caps.setVariable) })
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
  const bare = text.replace(VARIABLE, '0').trim()
  const arithmetic = /^[\d\s.()+*/%-]+$/.test(bare) && /\d\s*[+*/%-]\s*[(\d]/.test(bare)
  return (
    arithmetic ||
    /[{};`]|=>|===?|&&|\|\||\breturn\b|\bnew [A-Z]|\w\.\w+\(|\.length\b|\b(Math|JSON|Date|String|Number|parseInt|parseFloat)\b\s*[.(]/.test(
      bare,
    )
  )
}

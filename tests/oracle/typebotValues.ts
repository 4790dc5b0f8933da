import { Failure, runCode } from './javascript'
import { type Fields, fields, text } from './typebotFile'
import type { TypebotVariables, Value } from './typebotVariables'

/** The clock stands still. */
export const NOW = '2026-11-21T10:00:00.000Z'

/** What a block “Set variable” does; its code is read, not run. */
export function setVariable(variables: TypebotVariables, options: Fields): void {
  const variable = variables.of(options.variableId)
  if (!variable) return
  const value = variable.value
  switch (text(options.type) || 'Custom') {
    case 'Custom':
      variable.value = calculate(variables, text(options.expressionToEvaluate))
      return
    case 'Empty':
      variable.value = null
      return
    case 'Now':
    case 'Today':
      variable.value = NOW
      return
    case 'Tomorrow':
      variable.value = new Date(Date.parse(NOW) + 86_400_000).toISOString()
      return
    case 'Yesterday':
      variable.value = new Date(Date.parse(NOW) - 86_400_000).toISOString()
      return
    case 'Moment of the day':
      variable.value = 'morning'
      return
    case 'Append value(s)': {
      const item = variables.fill(text(options.item))
      if (typeof value === 'string') variables.features.add('appended to a text')
      variable.value = value === null ? [item] : [...[value].flat(), item]
      return
    }
    case 'Pop':
    case 'Shift': {
      const isPop = options.type === 'Pop'
      const to = variables.of(options.saveItemInVariableId)
      if (!Array.isArray(value)) return
      if (to && value.length > 0) to.value = (isPop ? value.at(-1) : value[0]) ?? null
      variable.value = isPop ? value.slice(0, -1) : value.slice(1)
      return
    }
    case 'Map item with same index': {
      const { baseItemVariableId, baseListVariableId, targetListVariableId } = fields(options.mapListItemParams)
      const of = (wanted: unknown) => variables.of(wanted)?.value ?? null
      const [item, base, target] = [of(baseItemVariableId), of(baseListVariableId), of(targetListVariableId)]
      const at = Array.isArray(base) && typeof item === 'string' ? base.indexOf(item) : -1
      variable.value = (at >= 0 && Array.isArray(target) ? target[at] : null) ?? null
      return
    }
    default:
      variables.features.add('unpredictable Set variable')
      variable.value = 'unpredictable'
  }
}

function calculate(variables: TypebotVariables, expression: string): Value {
  if (expression === '') return null
  if (/^\{\{[^{}]+\}\}$/.test(expression)) return variables.fill(expression) || null
  if (!Number.isNaN(Number(expression)) && /0[^.].+/.test(expression)) return expression
  const ids = new Map<string, unknown>()
  const code = expression.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    const at = variables.all.findIndex((variable) => variable.name === name)
    if (at < 0) return ''
    ids.set(`variable${at}`, guessed(variables.all[at]?.value ?? undefined))
    return `variable${at}`
  })
  try {
    const result = runCode(code.includes('return ') ? code : `return ${code}`, ids, NOW)
    if (Number.isNaN(result) || [...ids.values()].includes(undefined)) variables.features.add('code')
    return kept(result)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message !== 'syntax') variables.features.add('code')
    return variables.fill(expression) || null
  }
}

function guessed(value: Value | undefined): unknown {
  if (typeof value !== 'string') return value
  if ((value.startsWith('0') && !value.startsWith('0.') && value.length > 1) || value.startsWith('+')) return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
}

function kept(value: unknown): Value {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.map((item) => printed(item))
  return printed(value)
}

const printed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

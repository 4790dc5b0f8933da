import { parseExpression } from '../../engine/expression/parseExpression'
import type { MappedBlock, NotMapped } from '../../engine/interop/importer'
import { caps } from '../../engine/values/caps'
import type { DynamicPart, DynamicValue } from '../../engine/values/dynamicValue'
import { dynamicValueLength, staticValue } from '../../engine/values/dynamicValue'
import type { SetVariableData } from './schema'

/** A variable, or a part of one, in a value or an expression. */
export const partOf = ({ variableId, path }: { variableId: string; path?: string }): DynamicPart => ({
  type: 'variable',
  variable_id: variableId,
  ...(path !== undefined && { path }),
})

export const setTo = (
  variableId: string | null,
  mode: SetVariableData['mode'],
  value: DynamicValue = staticValue(''),
): MappedBlock => ({
  data: { variableId, mode, value, takeTo: null } satisfies SetVariableData,
  ports: { default: 'next' },
})

/** Sets a variable to an expression's result; returns a reason if the expression is not supported. */
export function calculated(
  variableId: string | null,
  source: readonly (string | DynamicPart)[],
): MappedBlock | NotMapped {
  const value: DynamicValue = {
    type: 'dynamic',
    parts: source.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  }
  if (dynamicValueLength(value) > caps.setVariable || !parseExpression(value).ok)
    return { notMapped: 'Its value can’t be written as an expression: set the variable by hand.' }
  return setTo(variableId, 'expression', value)
}

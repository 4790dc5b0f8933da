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

/** Set to what an expression gives; a reason when it is none that can be calculated here. */
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

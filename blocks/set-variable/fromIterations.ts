import type { ForeignBlock, MappedBlock, NodeContext, NotMapped } from '../../engine/interop/importer'
import { staticValue } from '../../engine/values/dynamicValue'
import { calculated, partOf, setTo } from './fromNodes'
import type { SetVariableData } from './schema'

/** The steps of an iteration over a list: the list, the counter, the item, and the results of rounds. */
export const iterationSteps = [
  'items',
  'items left',
  'results',
  'index',
  'one less',
  'next item',
  'forget',
  'keep',
  'joined',
]

/** Maps such a step; its fields name variables like the file's texts. */
export function mapIterationStep(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped {
  const to = context.variable(block.to)
  const of = context.value(block.of)
  switch (block.type) {
    case 'results':
      return calculated(to, ['[]'])
    case 'index':
      return block.isFirst === true ? setTo(to, 'set', staticValue('-1')) : setTo(to, 'increment', staticValue('1'))
    case 'one less':
      return setTo(to, 'increment', staticValue('-1'))
    case 'forget':
      return setTo(to, 'clear')
  }
  if (block.type === 'items' && block.items !== undefined) return calculated(to, [JSON.stringify(block.items)])
  if (!of) return { notMapped: 'It names no list that the file has: choose one in a set variable.' }
  switch (block.type) {
    case 'items':
      return calculated(to, block.isJson === true ? ['parseJson(', partOf(of), ')'] : ['concat([], ', partOf(of), ')'])
    case 'items left':
      return calculated(to, ['length(', partOf(of), ')'])
    case 'joined':
      return calculated(to, ['join(', partOf(of), ', "\\n")'])
    case 'next item':
      return {
        data: {
          variableId: of.variableId,
          mode: 'take-first',
          value: staticValue(''),
          takeTo: to,
        } satisfies SetVariableData,
        ports: { default: 'next' },
      }
    default:
      return setTo(to, 'append', { type: 'dynamic', parts: [partOf(of)] })
  }
}

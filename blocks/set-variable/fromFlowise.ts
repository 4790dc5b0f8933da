import { textOf } from '../../engine/interop/fields'
import type { NodeImporter } from '../../engine/interop/importer'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { iterationSteps, mapIterationStep } from './fromIterations'
import { calculated, setTo } from './fromNodes'

/** A flow's state, a model's structured output, and values that are counted, set or cleared for each message. */
export const setVariableFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['state', 'structured', 'now', 'loop reset', 'loop count', 'class reset', 'clear', ...iterationSteps],
  map(block, context) {
    if (iterationSteps.includes(block.type)) return mapIterationStep(block, context)
    switch (block.type) {
      case 'state': {
        const variableId = context.variable(`$flow.state.${textOf(block.key)}`)
        if (variableId === null)
          return { notMapped: 'It changes a part of the state that has no name: choose a variable.' }
        return setTo(variableId, 'set', context.text(block.value, caps.setVariable))
      }
      case 'structured': {
        const content = context.output('content')
        context.note('It gave values of its own: here the model is told to write them as JSON, which is read.')
        return calculated(context.output('values'), [
          'parseJson(',
          { type: 'variable', variable_id: content ?? '' },
          ')',
        ])
      }
      case 'now':
        return setTo(context.variable('current_date_time'), 'now')
      case 'loop reset':
        return setTo(context.variable(`$loop.${textOf(block.loop)}`), 'set', staticValue('0'))
      case 'loop count':
        return setTo(context.variable(`$loop.${block.id}`), 'increment', staticValue('1'))
      case 'class reset':
        return setTo(context.output('scenario'), 'clear')
      default:
        return setTo(textOf(block.variableId), 'clear')
    }
  },
}

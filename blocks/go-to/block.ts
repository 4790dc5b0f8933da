import { defineBlock } from '../../engine/flow/defineBlock'
import { enterFlow, goBack, goTo, read, setVariable, visit } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { resolveValue } from '../../engine/values/render'
import { goToFromFlowise } from './fromFlowise'
import { goToFromTypebot } from './import'
import { type GoToData, goToDefaults, goToSchema, noFlow } from './schema'

/**
 * Goes on elsewhere without an edge: to a group, optionally returning by `returned` (below this block if there is none,
 * or it is gone); to another flow of the chatbot and back; or back to the block that entered the present part. A flow
 * has its own variables: values can be passed to it and saved from it. A group shares those of its flow.
 */
export const goToBlock = defineBlock({
  kind: 'go-to',
  category: 'logic',
  title: 'Go to',
  help: 'Continues at another group, or runs another flow and comes back.',
  schema: goToSchema,
  defaults: goToDefaults,
  migrations: [
    { name: 'AddFlow', up: ({ target = null, ...data }) => ({ ...data, to: 'group', target, ...noFlow() }) },
    { name: 'AddComeBack', up: (data) => ({ ...data, comesBack: false }) },
  ],
  ports: (data): { id: 'next' | 'returned'; label?: string; spare?: true }[] => {
    if (data.to === 'flow') return [{ id: 'returned', label: 'Returned' }]
    if (comesBackFromGroup(data)) return [{ id: 'returned', label: 'Returned', spare: true }]
    return data.to === 'group' && !data.target ? [{ id: 'next' }] : []
  },
  jumps: (data) =>
    data.to === 'group' && data.target
      ? [{ ...data.target, ...(data.comesBack && { back: 'returned' as const }) }]
      : [],
  returns: ({ to }) => to === 'back',
  enters: (data) => (data.to === 'flow' && data.flowId ? [data.flowId] : []),
  remapFlows: (data, newId) => ({ ...data, flowId: data.flowId && newId(data.flowId) }),
  reads: (data) => (data.to === 'flow' ? data.inputs.flatMap(({ value }) => dynamicValueVariables(value)) : []),
  writes: (data) => (data.to === 'flow' ? data.outputs.flatMap(({ saveTo }) => saveTo ?? []) : []),
  calls: ({ to, flowId, flowGroupId, inputs, outputs }) =>
    to === 'flow' && flowId
      ? [
          {
            flowId,
            groupId: flowGroupId,
            gives: inputs.flatMap(({ toVariable }) => toVariable ?? []),
            takes: outputs.flatMap(({ fromVariable }) => fromVariable ?? []),
          },
        ]
      : [],
  problems: ({ to, target, flowId }) =>
    to === 'flow'
      ? flowId
        ? []
        : [{ path: 'flowId', message: 'Choose a flow' }]
      : to === 'back' || target
        ? []
        : [{ path: 'target', message: 'Choose a group' }],
  importers: [goToFromTypebot, goToFromFlowise],
  *run(data) {
    if (data.to === 'back') yield* goBack()
    if (data.to === 'group' && data.target) {
      if (data.comesBack) {
        yield* visit(data.target)
        return 'returned'
      }
      yield* goTo(data.target)
    }
    if (data.to !== 'flow') return 'next'
    if (!data.flowId) return 'returned'
    const variables = yield* read()
    const given = data.inputs.flatMap(({ toVariable, value }) =>
      toVariable ? [[toVariable, resolveValue(value, variables)] as const] : [],
    )
    const left = yield* enterFlow(data.flowId, Object.fromEntries(given), data.flowGroupId ?? undefined)
    if (left) {
      for (const { fromVariable, saveTo } of data.outputs)
        if (fromVariable && saveTo) yield* setVariable(saveTo, left[fromVariable] ?? null)
    }
    return 'returned'
  },
})

const comesBackFromGroup = ({ to, target, comesBack }: GoToData): boolean =>
  to === 'group' && target !== null && comesBack

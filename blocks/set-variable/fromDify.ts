import { clip, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { ForeignBlock, MappedBlock, NodeContext, NodeImporter, NotMapped } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { iterationSteps, mapIterationStep } from './fromIterations'
import { calculated, partOf, setTo } from './fromNodes'

/** Assignments, the aggregator that merges branches, and values that are counted or cleared for each message. */
export const setVariableFromDify: NodeImporter = {
  product: 'dify',
  types: ['assigner', 'variable-aggregator', 'count', 'clear', 'class reset', ...iterationSteps],
  map(block, context) {
    if (iterationSteps.includes(block.type)) return mapIterationStep(block, context)
    switch (block.type) {
      case 'count':
        return setTo(context.variable(block.of), 'increment', staticValue('1'))
      case 'clear':
        return setTo(textOf(block.variableId), 'clear')
      case 'class reset':
        return setTo(context.output('class_name'), 'clear')
      case 'variable-aggregator':
        return mapAggregator(block, context)
      default:
        return mapAssignment(block, context)
    }
  },
}

/** The first of several values that is set. */
function mapAggregator(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped {
  noteOthers(block, ['id', 'type', 'variables', 'groupId', 'group_name', 'output_type'], context)
  const values = listOf(block.variables).flatMap((selector) => context.value(selector) ?? [])
  if (values.length === 0) return { notMapped: 'It joins no values that the file has: remove it.' }
  const group = textOf(block.group_name)
  const parts = values.flatMap((value, at) => [...(at === 0 ? [] : [' ?? ']), partOf(value)])
  return calculated(context.output(group ? `${group}.output` : 'output'), parts)
}

/** An item of newer files, or the single assignment of older ones. */
function mapAssignment(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped {
  const isOld = block.isFirst === true
  const known = ['id', 'type', 'isFirst', 'variable_selector', 'operation', 'input_type', 'value', 'write_mode']
  noteOthers(block, [...known, 'assigned_variable_selector', 'input_variable_selector', 'items'], context)
  const to = context.value(isOld ? block.assigned_variable_selector : block.variable_selector)
  if (!to) return { notMapped: 'It names no variable that the file has: choose one in a set variable.' }
  if (to.path !== undefined)
    return { notMapped: 'It changes a part of a value: set the whole variable by an expression.' }
  const operation = textOf(isOld ? block.write_mode : block.operation) || 'over-write'
  const isConstant = !isOld && block.input_type === 'constant'
  const from = isConstant ? null : context.value(isOld ? block.input_variable_selector : block.value)
  const given: DynamicValue | null = isConstant
    ? constant(block.value, context)
    : from && { type: 'dynamic', parts: [partOf(from)] }
  const target = partOf(to)
  switch (operation) {
    case 'clear':
      return setTo(to.variableId, 'clear')
    case 'remove-first':
      return setTo(to.variableId, 'take-first')
    case 'remove-last':
      return setTo(to.variableId, 'take-last')
  }
  if (!given) return { notMapped: 'It names no value that the file has: choose one in a set variable.' }
  const parts = given.type === 'static' ? [given.value] : given.parts
  switch (operation) {
    case 'over-write':
    case 'set':
      return isConstant && typeof block.value !== 'string'
        ? calculated(to.variableId, [JSON.stringify(block.value ?? null)])
        : setTo(to.variableId, 'set', given)
    case 'append':
      // appending creates a list in Dify; here the variable must hold one
      context.startWith(to.variableId, [])
      return setTo(to.variableId, 'append', given)
    case '+=':
      return setTo(to.variableId, 'increment', given)
    case '-=':
    case '*=':
    case '/=':
      return calculated(to.variableId, [target, ` ${operation.charAt(0)} (`, ...parts, ')'])
    default:
      return { notMapped: `'${clip(operation, 40)}' has no counterpart here: use an expression in a set variable.` }
  }
}

/** Text may contain variables; any other value becomes an expression with its JSON. */
function constant(value: unknown, context: NodeContext): DynamicValue {
  if (typeof value === 'string') return context.text(value, caps.setVariable)
  return staticValue(
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(fieldsOf(value)),
  )
}

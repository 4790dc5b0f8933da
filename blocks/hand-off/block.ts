import { defineBlock } from '../../engine/flow/defineBlock'
import { handOver } from '../../engine/flow/handOver'
import { read, render, say, setVariable } from '../../engine/flow/steps'
import { textPart } from '../../engine/flow/visitorParts'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { printValue, renderText, variableValue } from '../../engine/values/render'
import { plainRichText, richTextVariables } from '../../engine/values/richText'
import { handOffFromTypebot } from './import'
import { handOffDefaults, handOffSchema, PROMPT } from './schema'

/**
 * Hands the conversation to people: they get it by mail, and the visitor is asked for an address if none is known. It
 * stays open for what the visitor adds; on failure it leaves by `nobody-available`.
 */
export const handOff = defineBlock({
  kind: 'hand-off',
  category: 'other',
  title: 'Hand-off',
  help: 'Sends the conversation to your team by email.',
  schema: handOffSchema,
  defaults: handOffDefaults,
  richTexts: ['prompt', 'message'],
  visitorTexts: ['prompt', 'message'],
  visitorParts: ({ prompt, message }) => [textPart('prompt', prompt), textPart('message', message)],
  migrations: [
    { name: 'AddAddress', up: (data) => ({ ...data, to: [], emailId: null, prompt: plainRichText(PROMPT) }) },
  ],
  importers: [handOffFromTypebot],
  ports: () => [
    // the chat stays open if nothing follows
    { id: 'handed-over', label: 'Handed over', spare: true },
    { id: 'nobody-available', label: 'Nobody available' },
  ],
  reads: ({ team, to, note, emailId, prompt, message }) => [
    ...[team, note, ...to.map(({ address }) => address)].flatMap(dynamicValueVariables),
    ...[prompt, message].flatMap(richTextVariables),
    ...(emailId === null ? [] : [emailId]),
  ],
  // needed only to ask for an unknown address
  needs: ({ team, to, note, prompt, message }) => [
    ...[team, note, ...to.map(({ address }) => address)].flatMap(dynamicValueVariables),
    ...[prompt, message].flatMap(richTextVariables),
  ],
  writes: ({ emailId }) => (emailId === null ? [] : [emailId]),
  // it may not ask, and the visitor may give no address
  assures: () => [],
  sendsMail: true,
  *run(data) {
    const variables = yield* read()
    const taken = yield* handOver({
      team: yield* render(data.team),
      note: yield* render(data.note),
      to: data.to.map(({ address }) => renderText(address, variables).trim()).filter((address) => address !== ''),
      email: printValue(variableValue(variables, data.emailId)),
      prompt: () => say(data.prompt),
      message: () => say(data.message),
    })
    if (taken === 'nobody') return 'nobody-available'
    if (data.emailId !== null && taken.email !== null) yield* setVariable(data.emailId, taken.email)
    return 'handed-over'
  },
})

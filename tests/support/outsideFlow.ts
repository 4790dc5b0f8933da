import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText, type RichText } from '../../engine/values/richText'

const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const variable = (variable_id: string): DynamicValue => ({
  type: 'dynamic',
  parts: [{ type: 'variable', variable_id }],
})
const fixed = (value: string): DynamicValue => ({ type: 'static', value })
const chip = (variable_id: string) => ({ text: '' as const, variable: true as const, variable_id })
const texts = (...children: RichText[0]['children']): RichText => [{ type: 'paragraph', children }]
const variables = (...ids: string[]): Flow['variables'] => ids.map((id) => ({ id, name: id, value: null }))

/** Posts a text to a path of the external server, and saves the number it answers. */
const post = (id: string, url: string, word: string, keptIn: string): Block =>
  block(id, 'http-request', {
    method: 'POST',
    url: fixed(`${url}/${id}`),
    bodyType: 'raw',
    body: variable(word),
    // long, since a busy machine is not what is tested
    timeout: 30,
    mapping: [{ id: `${id}-kept`, from: 'body', path: '$', variableId: keptIn }],
  })

/** The steps at which a conversation of `outsideFlows` calls the server, in order; the mail comes after the first. */
export const outsideSteps = ['first', 'second', 'waited', 'silent'] as const

/**
 * An endless conversation of real kinds: asks for a text, posts it from within another flow, mails it, posts it again,
 * says both answers, waits a second and posts it, asks a question that times out and posts that, too.
 */
export function outsideFlows(url: string): { flow: Flow; flows: Record<string, Flow> } {
  const sub: Flow = {
    ...emptyFlow(),
    variables: variables('given', 'answer'),
    groups: [
      {
        id: 'sub',
        title: 'Ask outside',
        position: { x: 0, y: 0 },
        blocks: [block('sub-start', 'start'), post('first', url, 'given', 'answer')],
      },
    ],
  }
  const enter = block('enter', 'go-to', {
    to: 'flow',
    flowId: 'sub-flow',
    inputs: [{ id: 'in', toVariable: 'given', value: variable('word') }],
    outputs: [{ id: 'out', fromVariable: 'answer', saveTo: 'one' }],
  })
  const mail = block('mail', 'send-email', {
    to: [{ id: 'to', address: fixed('visitor@example.com') }],
    subject: variable('word'),
    body: texts(chip('one')),
  })
  const silence = block('ask-again', 'text-input', { prompt: plainRichText('Anybody there?'), noReplyAfter: 1 })
  const main: Flow = {
    ...emptyFlow(),
    variables: variables('word', 'one', 'two', 'three', 'four'),
    groups: [
      { id: 'begin', title: 'Start', position: { x: 0, y: 0 }, blocks: [block('start', 'start')] },
      {
        id: 'ask',
        title: 'Ask',
        position: { x: 300, y: 0 },
        blocks: [
          block('word', 'text-input', { saveTo: 'word' }),
          enter,
          mail,
          post('second', url, 'word', 'two'),
          block('say', 'text', {
            content: texts(chip('word'), { text: ': ' }, chip('one'), { text: ', ' }, chip('two')),
          }),
          block('pause', 'wait', { amount: 1, unit: 'seconds' }),
          post('waited', url, 'word', 'three'),
          block('say-waited', 'text', { content: texts({ text: 'waited ' }, chip('three')) }),
          silence,
        ],
      },
      {
        id: 'silence',
        title: 'No reply',
        position: { x: 600, y: 0 },
        blocks: [
          post('silent', url, 'word', 'four'),
          block('say-silent', 'text', { content: texts({ text: 'silent ' }, chip('four')) }),
        ],
      },
    ],
    edges: [
      { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'ask' } },
      { from: { blockId: 'enter', portId: 'returned' }, to: { groupId: 'ask', blockId: 'mail' } },
      { from: { blockId: 'mail', portId: 'success' }, to: { groupId: 'ask', blockId: 'second' } },
      { from: { blockId: 'ask-again', portId: 'no-reply' }, to: { groupId: 'silence' } },
      { from: { blockId: 'say-silent', portId: 'next' }, to: { groupId: 'ask' } },
    ],
  }
  return { flow: main, flows: { 'sub-flow': sub } }
}

import { defineBlock } from '../../engine/flow/defineBlock'
import { note, read, sayMessage } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { isExternalUrl } from '../../engine/values/url'
import { contactCardDefaults, contactCardSchema } from './schema'

/** Gives somebody's name and how to reach them: a card to keep where the channel has one, else the same in words. */
export const contactCard = defineBlock({
  kind: 'contact-card',
  category: 'bubble',
  title: 'Contact card',
  help: 'Gives a person’s name, phone and email.',
  schema: contactCardSchema,
  defaults: contactCardDefaults,
  visitorTexts: ['name', 'company'],
  ports: () => [{ id: 'next' }],
  reads: ({ name, phone, email, company, url }) => [name, phone, email, company, url].flatMap(dynamicValueVariables),
  problems: ({ name, phone, email }) => [
    ...(isBlankValue(name) ? [{ path: 'name', message: 'Enter a name' }] : []),
    ...(isBlankValue(phone) && isBlankValue(email)
      ? [{ path: 'phone', message: 'Enter a phone number or an email address' }]
      : []),
  ],
  *run(data) {
    const variables = yield* read()
    const [name, phone, email, company, address] = (['name', 'phone', 'email', 'company', 'url'] as const).map(
      (field) => renderText(data[field], variables).trim(),
    ) as [string, string, string, string, string]
    const url = isExternalUrl(address) ? address : ''
    if (name === '') {
      yield* note('There is no name to show.')
      return 'next'
    }
    const lines = [
      { text: name, bold: true as const },
      { text: company },
      { text: phone, link: `tel:${phone.replace(/[^+\d]/g, '')}` },
      { text: email, link: `mailto:${email}` },
      { text: url, link: url },
    ].filter(({ text }) => text !== '')
    yield* sayMessage({
      kind: 'text',
      text: lines.map((line) => ({ type: 'paragraph', children: [line] })),
      native: { type: 'contact', name, phone, email, company, url },
    })
    return 'next'
  },
})

import { fieldsOf } from '../call'
import { type Html, html } from '../pages/html'
import { drawTemplate } from './drawTemplate'
import type { MessageContent, PhoneMessage } from './state'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** A message as the phone shows it. @param to where what is done with it goes */
export function drawMessage(message: PhoneMessage, to: (act: 'press' | 'react' | 'delete') => string): Html {
  const { content, from, status, at, id, template, reaction } = message
  const act = to('press')
  const mine = from === 'person'
  return html`<li class="${mine ? 'mine' : 'theirs'}" id="${id}"><div class="bubble">${template ? drawTemplate(message, template, act) : drawContent(content, mine ? null : act, id)}
<span class="meta">${at.toISOString().slice(11, 16)}${
    mine ? '' : html` · <span title="${status}">${status === 'failed' ? 'not delivered' : status}</span>`
  }</span>${reaction !== undefined && html`<span class="reaction">${reaction}</span>`}</div>
${
  content.type !== 'deleted' &&
  html`<form class="act" method="post" action="${to(mine ? 'delete' : 'react')}"><input type="hidden" name="message" value="${id}">
<button class="link">${mine ? 'Delete' : reaction === undefined ? 'React 👍' : 'Take 👍 back'}</button></form>`
}<details class="raw"><summary>As JSON</summary><pre>${JSON.stringify(content, null, 2)}</pre></details></li>`
}

function drawContent(content: MessageContent, act: string | null, id: string): Html {
  const fields = fieldsOf(content[content.type])
  const link = text(fields.link)
  const caption = fields.caption ? html`<p>${text(fields.caption)}</p>` : ''
  switch (content.type) {
    case 'text':
      return html`<p>${text(fields.body)}</p>`
    case 'image':
      return html`${link ? html`<img src="${link}" alt="${text(fields.caption) || 'Picture'}">` : html`<p>Photo</p>`}${caption}`
    case 'video':
      return html`${link ? html`<video src="${link}" controls></video>` : html`<p>Video</p>`}${caption}`
    case 'audio':
      return link ? html`<audio src="${link}" controls></audio>` : html`<p>Voice message</p>`
    case 'document':
      return html`<p>${link ? html`<a href="${link}">${text(fields.filename) || link}</a>` : text(fields.filename) || 'Document'}</p>${caption}`
    case 'location':
      return html`<p>Place: ${text(fields.name)} ${text(fields.address)} ${String(fields.latitude)}, ${String(fields.longitude)}</p>`
    case 'contacts':
      return html`${list(content.contacts).map(
        ({ name, phones, emails }) =>
          html`<p><strong>${text(fieldsOf(name).formatted_name)}</strong></p>${[...list(phones), ...list(emails)].map(
            ({ phone, email }) => html`<p class="soft">${text(phone) || text(email)}</p>`,
          )}`,
      )}`
    case 'interactive':
      return drawInteractive(fields, act, id)
    case 'button':
      return html`<p>${text(fields.text)}</p>`
    case 'deleted':
      return html`<p class="soft">You deleted this message</p>`
    case 'unsupported':
      return html`<p>Poll: shall we ride on Sunday?</p>`
    default:
      return html`<p>${content.type}</p>`
  }
}

function drawInteractive(fields: Record<string, unknown>, act: string | null, id: string): Html {
  const { type } = fields
  // what a person answers has the option alone
  const answer = fieldsOf(fields[text(type)])
  if (answer.title) return html`<p>${text(answer.title)}</p>`
  const action = fieldsOf(fields.action)
  const header = fieldsOf(fields.header)
  const image = text(fieldsOf(header.image).link)
  const body = html`${text(header.text) && html`<p><strong>${text(header.text)}</strong></p>`}${
    image && html`<img src="${image}" alt="">`
  }<p>${text(fieldsOf(fields.body).text)}</p>${fields.footer ? html`<p class="soft">${text(fieldsOf(fields.footer).text)}</p>` : ''}`
  const option = (kind: string, { id: key, title, description }: Record<string, unknown>) =>
    html`<form method="post" action="${act}"><input type="hidden" name="message" value="${id}"><input type="hidden" name="kind" value="${kind}">
<input type="hidden" name="option" value="${text(key)}"><input type="hidden" name="title" value="${text(title)}">
<input type="hidden" name="description" value="${text(description)}"><button class="plain"${act === null && html` disabled`}>${text(title)}${
      description ? html`<small>${text(description)}</small>` : ''
    }</button></form>`
  if (type === 'button')
    return html`${body}<div class="options">${list(action.buttons).map((each) => option('button_reply', fieldsOf(each.reply)))}</div>`
  if (type === 'list')
    return html`${body}<details class="options"><summary>${text(action.button)}</summary>${list(action.sections).map(
      ({ title, rows }) =>
        html`${text(title) && html`<p class="soft">${text(title)}</p>`}${list(rows).map((row) => option('list_reply', row))}`,
    )}</details>`
  if (type === 'cta_url') {
    const { url, display_text } = fieldsOf(action.parameters)
    return html`${body}<p><a href="${text(url)}" target="_blank" rel="noreferrer">${text(display_text)}</a></p>`
  }
  return html`${body}<p class="soft">Asks for a place: send one below.</p>`
}

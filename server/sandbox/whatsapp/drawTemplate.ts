import { fieldsOf } from '../call'
import { type Html, html } from '../pages/html'
import type { MessageTemplate, PhoneMessage } from './state'

const list = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : [])
const isOf = (type: string) => (component: Record<string, unknown>) => String(component.type).toLowerCase() === type
const textOf = ({ components }: MessageTemplate, type: string): string =>
  String(components.map(fieldsOf).find(isOf(type))?.text ?? '')

/** The text of a template, with its places. */
export const templateBody = (template: MessageTemplate): string => textOf(template, 'body')

/** A template as the phone shows it, filled with what the message gave. @param act where presses of its buttons go */
export function drawTemplate({ content, id }: PhoneMessage, template: MessageTemplate, act: string | null): Html {
  const given = list(fieldsOf(content.template).components)
  const parametersOf = (type: string) => list(given.find(isOf(type))?.parameters)
  const fill = (type: string): string =>
    parametersOf(type).reduce(
      (words, parameter, at) =>
        words.replaceAll(`{{${parameter.parameter_name ?? at + 1}}}`, () => String(parameter.text ?? '')),
      textOf(template, type),
    )
  const [file] = parametersOf('header')
  const linkOf = (kind: string) => fieldsOf(file?.[kind]).link
  const [image, video, document] = [linkOf('image'), linkOf('video'), linkOf('document')]
  const [header, footer] = [fill('header'), textOf(template, 'footer')]
  const buttons = list(template.components.map(fieldsOf).find(isOf('buttons'))?.buttons)
  const media =
    typeof image === 'string'
      ? html`<img src="${image}" alt="">`
      : typeof video === 'string'
        ? html`<video src="${video}" controls></video>`
        : typeof document === 'string'
          ? html`<p><a href="${document}" target="_blank" rel="noreferrer">${String(fieldsOf(file?.document).filename ?? document)}</a></p>`
          : ''
  return html`${media}${header && html`<p><strong>${header}</strong></p>`}<p>${fill('body')}</p>${
    footer && html`<p class="soft">${footer}</p>`
  }<div class="options">${buttons.map((button, at) => drawButton(button, addressEnd(given, at), act, id))}</div>`
}

/** What a message gives for the place in the address of a button; empty: nothing. */
function addressEnd(given: readonly Record<string, unknown>[], at: number): string {
  const found = given.find((component) => isOf('button')(component) && Number(component.index) === at)
  return String(list(found?.parameters)[0]?.text ?? '')
}

/** One that opens an address, or names a number, answers nothing. */
function drawButton({ type, text, url }: Record<string, unknown>, end: string, act: string | null, id: string): Html {
  const label = String(text)
  if (type === 'PHONE_NUMBER') return html`<p class="soft">${label}</p>`
  if (type === 'URL') {
    const address = String(url ?? '').replace(/\{\{[^{}]*\}\}/, () => end)
    return html`<p><a href="${/^https?:/.test(address) ? address : '#'}" target="_blank" rel="noreferrer">${label}</a></p>`
  }
  return html`<form method="post" action="${act}"><input type="hidden" name="message" value="${id}"><input type="hidden" name="kind" value="button">
<input type="hidden" name="option" value="${label}"><input type="hidden" name="title" value="${label}">
<button class="plain">${label}</button></form>`
}

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
  const image = fieldsOf(parametersOf('header')[0]?.image).link
  const [header, footer] = [fill('header'), textOf(template, 'footer')]
  const buttons = list(template.components.map(fieldsOf).find(isOf('buttons'))?.buttons)
  return html`${typeof image === 'string' ? html`<img src="${image}" alt="">` : ''}${header && html`<p><strong>${header}</strong></p>`}<p>${fill('body')}</p>${
    footer && html`<p class="soft">${footer}</p>`
  }<div class="options">${buttons.map(
    ({ text }) =>
      html`<form method="post" action="${act}"><input type="hidden" name="message" value="${id}"><input type="hidden" name="kind" value="button">
<input type="hidden" name="option" value="${String(text)}"><input type="hidden" name="title" value="${String(text)}">
<button class="plain">${String(text)}</button></form>`,
  )}</div>`
}

import { html } from '../pages/html'
import type { Card } from './state'

/** Cards that do something each; none has a number. */
export const cards: Readonly<Record<Card, string>> = {
  works: 'A card that works',
  authentication: 'A card whose bank asks for confirmation (3D Secure)',
  declined: 'A card that is declined',
  fails_later: 'A card that works once, and fails when it is charged again',
}

export const isCard = (text: string | undefined): text is Card => text !== undefined && Object.hasOwn(cards, text)

/** The choice of a card, for a form. */
export const cardChoice = (chosen: Card) => html`<fieldset><legend>Card</legend>
${Object.entries(cards).map(
  ([card, label]) =>
    html`<label class="choice"><input type="radio" name="card" value="${card}"${
      card === chosen && html` checked`
    }> ${label}</label>`,
)}</fieldset>`

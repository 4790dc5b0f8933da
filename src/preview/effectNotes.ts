import type { TFunction } from 'i18next'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import { detailsOf, headlineOf } from '../testEffects/words'
import type { ChatNote } from '../widget/conversation'

export type PlacedEffect = PlaygroundDebug['effects'][number]

/**
 * What a test changed outside, or would have, as notes between the chat's messages. @param onMail shows a mail as its
 * recipients see it
 */
export function effectNotes(
  effects: readonly PlacedEffect[],
  t: TFunction<'testEffects'>,
  onMail: (at: PlacedEffect) => void,
): ChatNote[] {
  return effects.map((placed, index) => {
    const { after, effect } = placed
    return {
      id: `${index}`,
      after,
      text: headlineOf(effect, t),
      marked: effect.carriedOut,
      details: detailsOf(effect, t),
      ...(effect.type === 'mail' && { more: { label: t('seeMail'), run: () => onMail(placed) } }),
    }
  })
}

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { type TestEffectOf, testEffectsOf } from '../../engine/flow/testEffects'
import { MailDialog } from '../testEffects/MailDialog'
import type { ChatSession } from '../widget/conversation'
import type { Debugger } from './debugger'
import { effectNotes, type PlacedEffect } from './effectNotes'

/** Shows what the test changed outside, or would have, between the chat's messages, in any look. */
export function EffectNotes({ bug, session }: { bug: Debugger; session: ChatSession }) {
  const { t } = useTranslation('testEffects')
  const effects = useStore(bug.store, ({ debug }) => debug?.effects)
  const [mail, setMail] = useState<PlacedEffect | null>(null)
  useEffect(() => {
    session.annotate(effectNotes(effects ?? [], t, setMail))
  }, [session, effects, t])
  if (!mail) return null
  return <MailDialog load={() => mailOf(bug, effects ?? [], mail)} onClose={() => setMail(null)} />
}

/** The overview has no HTML: fetch the step's. */
async function mailOf(
  bug: Debugger,
  effects: readonly PlacedEffect[],
  at: PlacedEffect,
): Promise<TestEffectOf<'mail'>> {
  const { turn, step } = at
  const before = effects.slice(0, effects.indexOf(at))
  const nth = before.filter((one) => one.turn === turn && one.step === step && one.effect.type === 'mail').length
  const { effects: calls } = await bug.inspect(turn, step)
  const mails = calls.flatMap(({ result }) => testEffectsOf(result)).filter((one) => one.type === 'mail')
  const found = mails[nth]
  if (!found) throw new Error('gone')
  return found
}

import { CircleDashed, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestEffect } from '../../engine/flow/testEffects'
import { Button } from '../ui/Button'
import { MailDialog } from './MailDialog'
import styles from './testEffects.module.css'
import { detailsOf, headlineOf } from './words'

/** What a test changed outside, or would have: a sentence with expandable details. */
export function EffectCard({ effect }: { effect: TestEffect }) {
  const { t } = useTranslation('testEffects')
  const [mail, setMail] = useState(false)
  const details = detailsOf(effect, t)
  const Icon = effect.carriedOut ? FlaskConical : CircleDashed
  return (
    <>
      <details className={styles.effect} data-done={effect.carriedOut || undefined}>
        <summary>
          <Icon size={14} aria-hidden="true" />
          <span>{headlineOf(effect, t)}</span>
        </summary>
        <dl>
          {details.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {effect.type === 'mail' && effect.html !== undefined && (
          <Button size="s" onClick={() => setMail(true)}>
            {t('seeMail')}
          </Button>
        )}
      </details>
      {mail && effect.type === 'mail' && (
        <MailDialog load={() => Promise.resolve(effect)} onClose={() => setMail(false)} />
      )}
    </>
  )
}

/** Several of them; nothing if there are none. */
export function EffectList({ effects }: { effects: readonly TestEffect[] }) {
  if (effects.length === 0) return null
  return (
    <div className={styles.list}>
      {effects.map((effect, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record that never changes
        <EffectCard key={at} effect={effect} />
      ))}
    </div>
  )
}

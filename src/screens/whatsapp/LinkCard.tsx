import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappState } from '../../../server/contracts/whatsapp'
import { Card } from '../../ui/Card'
import { CopyField } from '../../ui/CopyField'
import { QrDownloads } from '../../ui/QrDownloads'
import { Select } from '../../ui/Select'
import styles from './whatsapp.module.css'

/** What leads people to a conversation with the number, at a trigger of their own where the flow has some. */
export function LinkCard({ link, links }: { link: string; links: WhatsappState['links'] }) {
  const { t } = useTranslation('whatsapp')
  const [trigger, setTrigger] = useState<string | null>(null)
  const chosen = links.find((one) => one.trigger === trigger)
  const whole = chosen ? `${link}?text=${encodeURIComponent(chosen.text)}` : link
  return (
    <Card title={t('link.title')} description={t('link.description')}>
      <div className={styles.fields}>
        {links.length === 0 ? (
          <p className={styles.note}>{t('link.noTriggers')}</p>
        ) : (
          <Select
            label={t('link.trigger')}
            description={t('link.triggerHelp')}
            placeholder={t('link.anyTrigger')}
            clearable
            value={chosen?.trigger ?? null}
            onChange={setTrigger}
            data={links.map((one) => ({ value: one.trigger, label: one.text }))}
          />
        )}
        <CopyField label={t('link.label')} value={whole} />
        <p className={styles.note}>{t('link.toWeb')}</p>
        <QrDownloads text={whole} label={t('link.code', { link: whole })} name="whatsapp" />
      </div>
    </Card>
  )
}

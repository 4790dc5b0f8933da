import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actionCounts, actionLengths } from '../../../../engine/values/agentActions'
import { hasPlaceholder } from '../../../../engine/values/placeholders'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig, useDraft } from '../draft'

export function MailFields() {
  const { t } = useTranslation('actions')
  const { readOnly } = useDraft()
  const { config, set } = useConfig('send-email')
  const { to } = config
  return (
    <>
      {to.map((address, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other id
        <div key={at} className={styles.removable}>
          <Counted
            label={t('mail.to', { number: at + 1 })}
            path={`config.to.${at}`}
            required
            value={address}
            max={actionLengths.address}
            onChange={(value) => set({ to: to.map((each, index) => (index === at ? value : each)) })}
          />
          {!readOnly && to.length > 1 && (
            <IconButton
              size="s"
              label={t('mail.remove', { number: at + 1 })}
              icon={<Trash2 />}
              onClick={() => set({ to: to.filter((_, index) => index !== at) })}
            />
          )}
        </div>
      ))}
      {to.some(hasPlaceholder) && <p className={styles.hint}>{t('mail.anybody')}</p>}
      {!readOnly && to.length < actionCounts.addresses && (
        <div>
          <Button size="s" icon={<Plus />} onClick={() => set({ to: [...to, ''] })}>
            {t('mail.add')}
          </Button>
        </div>
      )}
      <div className={styles.pair}>
        <Counted
          label={t('mail.fromName')}
          path="config.from_name"
          value={config.from_name}
          max={actionLengths.address}
          onChange={(from_name) => set({ from_name })}
        />
        <Counted
          label={t('mail.replyTo')}
          path="config.reply_to"
          value={config.reply_to}
          max={actionLengths.address}
          onChange={(reply_to) => set({ reply_to })}
        />
      </div>
      <Counted
        label={t('mail.subject')}
        path="config.subject"
        required
        value={config.subject}
        max={actionLengths.mailSubject}
        onChange={(subject) => set({ subject })}
      />
      <Counted
        label={t('mail.message')}
        path="config.message"
        required
        rows={5}
        value={config.message}
        max={actionLengths.mailMessage}
        onChange={(message) => set({ message })}
      />
    </>
  )
}

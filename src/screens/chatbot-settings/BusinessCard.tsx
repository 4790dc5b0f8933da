import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { businessCaps, type Chatbot } from '../../../server/contracts/chatbots'
import { useChatbotChanges } from '../../api/chatbots'
import { ApiFailure, failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './BusinessCard.module.css'

/** The business that the chatbot speaks for: used by answers, and required for them (SPEC.md 4). */
export function BusinessCard({ pgid, chatbot, readOnly }: { pgid: string; chatbot: Chatbot; readOnly: boolean }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const [name, setName] = useState(chatbot.business_name)
  const [description, setDescription] = useState(chatbot.business_description)
  const { update } = useChatbotChanges(pgid)
  const changed = name.trim() !== chatbot.business_name || description.trim() !== chatbot.business_description
  const refused = update.error instanceof ApiFailure ? update.error.fields : {}
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!changed) return
    update.mutate(
      { cgid: chatbot.gid, business_name: name.trim(), business_description: description.trim() },
      { onSuccess: () => notify.success(t('settings.saved')) },
    )
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('settings.business')}
        description={t('settings.businessDescription')}
        footer={
          !readOnly && (
            <Button type="submit" design="primary" disabled={!changed} loading={update.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <div className={styles.fields}>
          <TextField
            label={t('settings.businessName')}
            value={name}
            maxLength={businessCaps.name}
            readOnly={readOnly}
            error={refused.business_name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div>
            <TextArea
              label={t('settings.businessAbout')}
              placeholder={t('settings.businessAboutExample')}
              value={description}
              maxLength={businessCaps.description}
              readOnly={readOnly}
              error={refused.business_description}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </div>
          {update.error && Object.keys(refused).length === 0 && (
            <p role="alert" className={styles.alert}>
              {failureText(update.error, common('errors.message'))}
            </p>
          )}
        </div>
      </Card>
    </form>
  )
}

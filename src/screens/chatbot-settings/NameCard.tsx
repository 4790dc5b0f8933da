import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { NAME_CAP, useChatbotChanges } from '../../api/chatbots'
import { fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'

export function NameCard({ pgid, chatbot, readOnly }: { pgid: string; chatbot: Chatbot; readOnly: boolean }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const [name, setName] = useState(chatbot.name)
  const { update } = useChatbotChanges(pgid)
  const changed = name.trim() !== '' && name.trim() !== chatbot.name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed)
      update.mutate({ cgid: chatbot.gid, name: name.trim() }, { onSuccess: () => notify.success(t('settings.saved')) })
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('settings.name')}
        description={t('settings.nameDescription')}
        footer={
          !readOnly && (
            <Button type="submit" design="primary" disabled={!changed} loading={update.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <TextField
          aria-label={t('create.name')}
          value={name}
          maxLength={NAME_CAP}
          readOnly={readOnly}
          error={update.error ? fieldOr(update.error, 'name', common('errors.message')) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Card>
    </form>
  )
}

import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { useDeleteConversation } from '../../api/housekeeping'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'

interface DeleteConversationProps {
  pgid: string
  conversation: string
  name: string
  onDeleted: () => void
}

/** Deletes a conversation for good, after a question. */
export function DeleteConversation({ pgid, conversation, name, onDeleted }: DeleteConversationProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const mayDelete = useCan('conversations.delete')
  const [asking, setAsking] = useState(false)
  const remove = useDeleteConversation(pgid)
  if (!mayDelete) return null
  return (
    <>
      <IconButton label={t('delete.open')} icon={<Trash2 size={16} />} onClick={() => setAsking(true)} />
      <ConfirmDialog
        opened={asking}
        danger
        title={t('delete.title')}
        message={t('delete.message', { name })}
        confirm={t('delete.confirm')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={() =>
          remove.mutate(conversation, {
            onSuccess: () => {
              notify.success(t('delete.done'))
              onDeleted()
            },
          })
        }
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
      />
    </>
  )
}

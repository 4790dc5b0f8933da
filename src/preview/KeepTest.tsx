import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordingCaps } from '../../engine/run/recordingFormat'
import { failureText } from '../api/failure'
import { useTestChanges } from '../api/tests'
import { IconButton } from '../ui/IconButton'
import { NameDialog } from '../ui/NameDialog'
import { notify } from '../ui/notify'

/** Keeps the conversation, as it is now, as a test of the chatbot. @param conversation null while none has begun */
export function KeepTest({ pgid, cgid, conversation }: { pgid: string; cgid: string; conversation: string | null }) {
  const { t } = useTranslation('preview')
  const [naming, setNaming] = useState(false)
  const { keep } = useTestChanges(pgid, cgid)
  const close = () => {
    setNaming(false)
    keep.reset()
  }
  return (
    <>
      <IconButton
        label={t('keep.title')}
        icon={<BookmarkPlus size={15} />}
        disabled={conversation === null}
        onClick={() => setNaming(true)}
      />
      <NameDialog
        opened={naming}
        title={t('keep.title')}
        label={t('keep.name')}
        placeholder={t('keep.placeholder')}
        submit={t('keep.submit')}
        maxLength={recordingCaps.name}
        loading={keep.isPending}
        error={keep.error ? failureText(keep.error, t('keep.failed')) : undefined}
        onSubmit={(name) =>
          conversation !== null &&
          keep.mutate(
            { conversation, name },
            {
              onSuccess: () => {
                notify.success(t('keep.done', { name }))
                close()
              },
            },
          )
        }
        onClose={close}
      />
    </>
  )
}

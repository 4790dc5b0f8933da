import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { recordingCaps } from '../../engine/run/recordingFormat'
import { failureText } from '../api/failure'
import { useTestChanges } from '../api/tests'
import { IconButton } from '../ui/IconButton'
import { NameDialog } from '../ui/NameDialog'
import { notify } from '../ui/notify'
import type { Debugger } from './debugger'

/** Keeps the conversation as a test of the chatbot: all of it, or up to the earlier turn that is shown. */
export function KeepTest({ bug }: { bug: Debugger }) {
  const { pgid, cgid } = bug.draft
  const conversation = useStore(bug.store, (state) => state.conversation)
  const lookingAt = useStore(bug.store, (state) => state.lookingAt)
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
        title={lookingAt === null ? t('keep.title') : t('keep.titleUpTo', { turn: lookingAt + 1 })}
        label={t('keep.name')}
        placeholder={t('keep.placeholder')}
        submit={t('keep.submit')}
        maxLength={recordingCaps.name}
        loading={keep.isPending}
        error={keep.error ? failureText(keep.error, t('keep.failed')) : undefined}
        onSubmit={(name) =>
          conversation !== null &&
          keep.mutate(
            { conversation, name, ...(lookingAt !== null && { turn: lookingAt }) },
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

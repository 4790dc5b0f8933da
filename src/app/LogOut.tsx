import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { unsentOf } from '../collab/keptEdits'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { leave } from './session'

/** The unsent edits about which the user is asked before logging out; null: not asked. */
const useUnsent = create<{ unsent: Awaited<ReturnType<typeof unsentOf>> | null }>(() => ({ unsent: null }))

/** Logs out; if there are unsent edits, asks first. @param ui the account's id */
export async function askToLeave(ui: string): Promise<void> {
  const unsent = await unsentOf(ui)
  if (unsent.kept + unsent.inTabAlone > 0) useUnsent.setState({ unsent })
  else await leave()
}

/** The dialog before logging out with unsent edits. Once per page. */
export function AskToLeave() {
  const { t } = useTranslation()
  const { unsent } = useUnsent()
  const close = () => useUnsent.setState({ unsent: null })
  return (
    <ConfirmDialog
      opened={unsent !== null}
      title={t('user.unsentTitle')}
      message={
        unsent?.inTabAlone
          ? t('user.lost', { count: unsent.inTabAlone })
          : t('user.unsent', { count: unsent?.kept ?? 0 })
      }
      confirm={t('user.logout')}
      danger={(unsent?.inTabAlone ?? 0) > 0}
      onConfirm={() => {
        close()
        void leave()
      }}
      onClose={close}
    />
  )
}

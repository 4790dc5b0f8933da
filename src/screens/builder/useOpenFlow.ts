import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useFlowChanges } from '../../api/flows'
import { useFlow } from '../../collab/useFlow'
import { notify } from '../../ui/notify'
import { whenSaved } from './whenSaved'

/** Opens another flow of the chatbot after this one's edits are stored. */
export function useOpenFlow(pgid: string, chatbot: Chatbot): (fid: string) => void {
  const { t } = useTranslation('builder')
  const { store } = useFlow()
  const { reread } = useFlowChanges(pgid, chatbot.gid)
  const [, setSearch] = useSearchParams()
  return (next) => {
    void whenSaved(store).then(() => {
      if (store.getState().status === 'offline') return notify.error(t('flows.offline'))
      // go-to blocks of the next flow need this one's present content
      void reread()
      setSearch(next === chatbot.fid ? {} : { flow: next })
    })
  }
}

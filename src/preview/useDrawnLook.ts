import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { useCan } from '../api/account'
import { lookQuery } from '../api/look'
import type { ChatOptions } from '../widget/mount'

/**
 * How the preview's chat is drawn: by the draft of the look, as soon as there is one, and in the builder's own scheme
 * where visitors have their system's. Parts that visitors use afterwards (ratings, times, a transcript) are left out of
 * a test.
 */
export function useDrawnLook(): Pick<ChatOptions, 'look' | 'scheme'> {
  const { pgid = '', cgid = '' } = useParams()
  const { data } = useQuery({ ...lookQuery(pgid, cgid), enabled: useCan('appearance.view') })
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    if (!data || data.revision === 0) return { look: null, scheme: null }
    const { parts, colours } = data.draft
    const off = {
      ratings: false,
      times: false,
      copy: false,
      voice: false,
      sounds: false,
      transcript: false,
      whatsapp: false,
    }
    return {
      look: { ...data.draft, parts: { ...parts, ...off } },
      scheme: colours.scheme === 'system' ? scheme : null,
    }
  }, [data, scheme])
}

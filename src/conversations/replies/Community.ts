/** Where the replies that are posted here come from, as threads and deliveries have it: each adapter is its own place. */
export const communityOf = (adapterId: string): string => `teamchat:${adapterId}`

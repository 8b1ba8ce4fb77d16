/** What an ACP agent cannot do, or does not do in time. The message is for a person. */
export class AcpTrouble extends Error {}

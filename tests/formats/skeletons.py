"""Small files of motion capture formats, made here."""

from __future__ import annotations

import random
from collections.abc import Sequence

PERSON = """\
HIERARCHY
ROOT Hips
{
	OFFSET 0.0 0.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Spine
	{
		OFFSET 0.0 20.0 -1.0
		CHANNELS 3 Xrotation Yrotation Zrotation
		JOINT Head
		{
			OFFSET 0.0 45.0 0.0
			CHANNELS 3 Zrotation Yrotation Xrotation
			End Site
			{
				OFFSET 0.0 20.0 0.0
			}
		}
		JOINT LeftArm
		{
			OFFSET 18.0 35.0 0.0
			CHANNELS 3 Zrotation Xrotation Yrotation
			JOINT LeftForeArm
			{
				OFFSET 28.0 0.0 0.0
				CHANNELS 1 Yrotation
				End Site
				{
					OFFSET 25.0 0.0 0.0
				}
			}
		}
		JOINT RightArm
		{
			OFFSET -18.0 35.0 0.0
			CHANNELS 3 Zrotation Xrotation Yrotation
			End Site
			{
				OFFSET -28.0 0.0 0.0
			}
		}
	}
	JOINT LeftUpLeg
	{
		OFFSET 9.0 -5.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT LeftFoot
		{
			OFFSET 0.0 -85.0 0.0
			CHANNELS 2 Xrotation Zrotation
			End Site
			{
				OFFSET 0.0 -5.0 15.0
			}
		}
	}
	JOINT RightUpLeg
	{
		OFFSET -9.0 -5.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT RightFoot
		{
			OFFSET 0.0 -85.0 0.0
			CHANNELS 0
			End Site
			{
				OFFSET 0.0 -5.0 15.0
			}
		}
	}
}
MOTION
Frames: 3
Frame Time: .0083333
0 95 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
1 95 2 10 20 30 5 6 7 1 2 3 40 50 60 70 -40 50 60 12 13 14 15 16 17 18 19
2 96 4 -170 20 100 5 6 7 1 2 3 40 50 60 90 -40 50 60 12 13 14 15 16 17 18 19
"""
"""A person in centimetres, y up, z forward, with joints of no, one, two and three rotations."""

SKELETON = """\
# made by hand
:version 1.10
:name PERSON
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   one line of text
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name lfemur
     direction 0.34202 -0.939693 0
     length 7.5
     axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
     id 2
     name ltibia
     direction 0.34202 -0.939693 0
     length 7.2
     axis 0 0 20 XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
     id 3
     name lfoot
     direction 0.0 -0.3 0.9
     length 2.0
     axis -90 0 20 XYZ
    dof rx rz
    limits (-45.0 90.0)
           (-70.0 20.0)
  end
  begin
     id 4
     name lowerback
     direction 0 1 0
     length 7
     axis 0 0 0 XYZ
    dof rx ry rz
  end
  begin
     id 5
     name head
     direction 0 1 0.1
     length 6
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root lfemur lowerback
    lfemur ltibia
    ltibia lfoot
    lowerback head
  end
"""
"""Half a person in CMU's unit, with bones of no, one, two and three rotations."""

MOVES = """\
#!OML:ASF somewhere
:FULLY-SPECIFIED
:DEGREES
1
root 0 16 0 0 0 0
lfemur 0 0 0
ltibia 0
lfoot 0 0
lowerback 0 0 0
2
root 1 16 2 10 20 30
lfemur -30 20 10
ltibia 40
lfoot 20 -10
lowerback 5 6 7
"""
"""Two frames of it."""


def shuffled(text: str, odd: Sequence[str], rng: random.Random) -> str:
    """A text with lines or words out of order, twice there, left out, or odd."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(5):
            case 0:
                lines[i], lines[j] = lines[j], lines[i]
            case 1:
                lines.insert(i, lines[j])
            case 2 if len(lines) > 1:
                del lines[i]
            case _:
                words = lines[i].split() or [""]
                words[rng.randrange(len(words))] = rng.choice(odd)
                lines[i] = " ".join(words)
    return "\n".join(lines)

"""Robots that the tests make themselves, one URDF and one MJCF file with all that we read."""

from pathlib import Path

import numpy as np
import pytest

from poise import Figure

TIGHT = 1e-9
"""What placements (m), centres (m), masses (kg) and limits may differ from those of others."""

URDF_ROBOT = """\
<?xml version="1.0"?>
<robot name="carrier">
  <material name="steel"><color rgba="0.2 0.4 0.6 1"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0.1 -0.05 0.2" rpy="0.3 -0.2 0.5"/>
      <mass value="4.5"/>
      <inertia ixx="0.04" ixy="0.002" ixz="-0.001" iyy="0.05" iyz="0.003" izz="0.06"/>
    </inertial>
    <collision><origin xyz="0 0 0.1" rpy="0 0.4 0"/><geometry><box size="0.3 0.2 0.1"/></geometry>
    </collision>
    <visual><geometry><mesh filename="package://carrier/base.dae"/></geometry>
      <material name="steel"/></visual>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry>
    </collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0.1 0 0"/><mass value="1"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <visual><geometry><sphere radius="0.06"/></geometry>
      <material name="mine"><color rgba="1 0 0 0.5"/></material></visual>
  </link>
  <link name="wheel">
    <collision><geometry><capsule radius="0.03" length="0.2"/></geometry></collision>
  </link>
  <link name="left_finger"><inertial><mass value="0.1"/>
    <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <link name="right_finger"/>
  <link name="cart"/>
  <link name="drone"><inertial><mass value="0.3"/>
    <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0.1 0.3" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 1"/><limit lower="-1.5" upper="2" effort="10" velocity="3"/>
    <dynamics damping="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.4" rpy="1.5707963267948966 0 -0.7"/><parent link="upper"/>
    <child link="lower"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="roller" type="fixed">
    <origin xyz="0.2 0 0" rpy="0 1.5707963267948966 0.4"/><parent link="lower"/>
    <child link="wheel"/>
  </joint>
  <joint name="left_grip" type="prismatic">
    <origin xyz="0.2 0.05 0"/><parent link="lower"/><child link="left_finger"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="5" velocity="1"/>
  </joint>
  <joint name="right_grip" type="prismatic">
    <origin xyz="0.2 -0.05 0"/><parent link="lower"/><child link="right_finger"/>
    <axis xyz="0 -1 0"/><limit lower="0" upper="0.04" effort="5" velocity="1"/>
    <mimic joint="left_grip" multiplier="0.5" offset="0.01"/>
  </joint>
  <joint name="drive" type="planar">
    <origin xyz="0 0 -0.1" rpy="0.2 0 0"/><parent link="base"/><child link="cart"/>
    <axis xyz="0 0 1"/>
  </joint>
  <joint name="flight" type="floating">
    <origin xyz="0 0 1"/><parent link="base"/><child link="drone"/>
  </joint>
  <transmission name="t"><type>simple</type></transmission>
  <gazebo reference="base"/>
</robot>
"""

MJCF_ROBOT = """\
<mujoco model="walker">
  <compiler angle="degree" autolimits="true" meshdir="meshes"/>
  <option timestep="0.002"/>
  <default>
    <geom rgba="0.2 0.4 0.6 1" density="800"/>
    <default class="leg">
      <joint type="hinge" axis="0 1 0" range="-60 90"/>
      <geom type="capsule" size="0.05"/>
    </default>
  </default>
  <asset>
    <mesh name="shell" file="shell.stl"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <site name="anchor" pos="1 0 1"/>
    <body name="torso" pos="0 0 1.2" euler="0 0 30">
      <freejoint name="root"/>
      <inertial pos="0.01 0 0.1" mass="20" fullinertia="0.5 0.6 0.3 0.01 0.02 0.03"/>
      <geom type="box" size="0.15 0.2 0.3"/>
      <geom type="mesh" mesh="shell"/>
      <site name="chest" pos="0.15 0 0.2" euler="0 90 0"/>
      <body name="thigh" pos="0 0.1 -0.3" quat="0.9 0.1 0.2 0.3" childclass="leg">
        <joint name="hip_x" axis="1 0 0" pos="0.01 0.02 0.03" range="-30 45"/>
        <joint name="hip_y" pos="0.01 0.02 0.03" range="-80 70"/>
        <joint name="hip_z" axis="0 0 1" pos="0.01 0.02 0.03" range="-20 25"/>
        <geom fromto="0 0 0 0 0 -0.4"/>
        <body name="shin" pos="0 0 -0.4">
          <joint name="knee" pos="0 0 0.02" ref="15" range="-10 140"/>
          <geom fromto="0 0 0 0 0 -0.4"/>
          <body name="foot" pos="0 0 -0.42" xyaxes="0 1 0 -1 0 0">
            <joint name="ankle" type="ball" pos="0 0 0.03" range="0 40"/>
            <geom type="ellipsoid" size="0.1 0.05 0.03" material="red"/>
            <site name="sole" pos="0 0 -0.03"/>
          </body>
        </body>
      </body>
      <frame pos="0 -0.1 0.2" euler="0 0 -20">
        <body name="arm" zaxis="0 1 1">
          <joint name="slide" type="slide" axis="1 0 1" ref="0.1" range="-0.2 0.3"/>
          <joint name="swivel" type="hinge" axis="0 0 1" range="-100 100"/>
          <geom type="cylinder" size="0.04 0.2" mass="1.5"/>
          <body name="hand" pos="0 0 0.3">
            <joint name="wrist" type="hinge" axis="1 1 0" range="-90 90"/>
            <geom type="sphere" size="0.06"/>
          </body>
        </body>
      </frame>
    </body>
    <body name="post" pos="1 1 0">
      <geom type="box" size="0.1 0.1 0.5"/>
    </body>
  </worldbody>
  <equality>
    <joint name="gear" joint1="wrist" joint2="swivel" polycoef="0.1 0.5 0 0 0"/>
    <joint name="still" joint1="slide" polycoef="0.05 0 0 0 0"/>
    <connect name="leash" body1="hand" body2="torso" anchor="0 0 0.1"/>
    <weld name="grasp" body1="hand" body2="post" relpose="0.1 0.2 0.3 0.9 0.1 0.2 0.3"/>
    <weld name="dock" site1="chest" site2="anchor"/>
    <connect name="idle" body1="foot" body2="post" anchor="0 0 0" active="false"/>
    <tendon name="pull" tendon1="cord" tendon2="belt" polycoef="0.2 2 0 0 0"/>
    <joint name="curved" joint1="hip_x" joint2="hip_z" polycoef="0 1 1 0 0"/>
  </equality>
  <tendon>
    <fixed name="hamstring" range="-0.3 2">
      <joint joint="hip_y" coef="0.5"/>
      <joint joint="knee" coef="-0.5"/>
    </fixed>
    <fixed name="cord"><joint joint="knee" coef="2"/><joint joint="hip_y" coef="1"/></fixed>
    <fixed name="belt"><joint joint="wrist" coef="3"/></fixed>
    <spatial name="rope"><site site="chest"/><site site="sole"/></spatial>
  </tendon>
  <actuator>
    <motor joint="knee"/>
  </actuator>
  <keyframe>
    <key name="crouch" qpos="0.1 0.2 0.9 0.9 0.1 0 0.3 0.1 -0.4 0.2 0.9 0.9 0.2 0.1 0.1 0.15
      0.2 0.2" ctrl="0.5"/>
  </keyframe>
</mujoco>
"""


def changed(path: Path, old: str, new: str) -> Path:
    """The file with one thing in it replaced."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def assert_same(figure: Figure, q: np.ndarray, other: Figure, there: np.ndarray) -> None:
    """Segments and masses are in the same places."""
    here, where = figure.place(q), other.place(there)
    for name in figure.segments:
        one, two = here.segment(name), where.segment(name)
        assert np.abs(one.position - two.position).max() < TIGHT
        assert np.abs(one.rotation - two.rotation).max() < TIGHT
    assert other.mass == pytest.approx(figure.mass, abs=TIGHT)
    if figure.mass:
        assert np.abs(figure.center_of_mass(q) - other.center_of_mass(there)).max() < TIGHT
        assert figure.inertia(q, "x") == pytest.approx(other.inertia(there, "x"), abs=TIGHT)
